"""Answers the two requests of OpenFGA's HTTP API that tests make, by the real OpenFGA engine.

    POST /stores/{store}/write  {"writes": {"tuple_keys": [{"user", "relation", "object"}]}}
    POST /stores/{store}/check  {"tuple_key": {"user", "relation", "object"},
                                 "contextual_tuples"?: {"tuple_keys": […]}}  ->  {"allowed"}

Stores come to be when something is written to them; whoever asks shows the token `secret`. The
engine is the one inside `fga model test`; a check is one run of it over the model and the tuples.
"""

import json
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FGA, MODEL, HOME = sys.argv[1], Path(sys.argv[2]).read_text(), Path(sys.argv[3])
STORES: dict[str, list[dict]] = {}


def check(tuples: list[dict], asked: dict) -> dict:
    """What the engine says of one question: `got`, or its error."""
    relation = {asked["relation"]: True}
    test = {
        "name": "check",
        "model": MODEL,
        "tuples": tuples,
        "tests": [{"name": "check", "check": [{"user": asked["user"], "object": asked["object"], "assertions": relation}]}],
    }
    with tempfile.NamedTemporaryFile("w", suffix=".fga.yaml", dir=HOME) as file:
        json.dump(test, file)  # JSON is YAML.
        file.flush()
        run = [FGA, "model", "test", "--verbose", "--suppress-summary", "--tests", file.name]
        said = subprocess.run(run, capture_output=True, text=True, check=False)
    start = said.stdout.find("[{")
    if start < 0:
        return {"error": said.stderr or said.stdout}
    results, _ = json.JSONDecoder().raw_decode(said.stdout[start:])
    return results[0]["check_results"][0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        parts = self.path.strip("/").split("/")
        if self.headers.get("authorization") != "Bearer secret":
            self.say(401, {"code": "bearer_token_missing", "message": "unauthenticated"})
        elif len(parts) != 3 or parts[0] != "stores":
            self.say(404, {"code": "undefined_endpoint", "message": "Not Found"})
        elif parts[2] == "write":
            STORES.setdefault(parts[1], []).extend(body["writes"]["tuple_keys"])
            self.say(200, {})
        elif parts[1] not in STORES:
            self.say(404, {"code": "store_id_not_found", "message": "Store ID not found"})
        else:
            more = (body.get("contextual_tuples") or {}).get("tuple_keys", [])
            more = [one for one in more if one not in STORES[parts[1]]]
            found = check(STORES[parts[1]] + more, body["tuple_key"])
            if found.get("error") or not isinstance(found.get("got"), bool):
                self.say(400, {"code": "validation_error", "message": str(found.get("error"))})
            else:
                self.say(200, {"allowed": found["got"], "resolution": ""})

    def say(self, status: int, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
(HOME / "url").write_text(f"http://127.0.0.1:{server.server_port}")
server.serve_forever()
