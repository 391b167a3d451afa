"""Servers to measure: dalil on a store, and the service that does the same work; and how to ask them."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
POSTGRES = HERE.parent / "suite" / "servers" / "postgres"
CORPUS = ("hr-leave-policy.en.md", "company-profile.en.md", "services-agreement.en.md")
# A benchmark asks as often as it can; nothing else is switched off.
# The judge that is in the program, whatever model this machine has beside it.
LIMITS = {"limits": {"rate": 1_000_000, "burst": 1_000_000}, "judge": {"mode": "fast"}}


class Server:
    """A server that runs, and the processes that it is made of."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, key: str) -> None:
        self.process, self.port, self.key = process, port, key
        self.approver_key = ""

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v1"

    def memory(self, what: str) -> int:
        """`VmRSS` or `VmHWM` in kB, of the server and the processes that it has started, together."""
        total = 0
        for pid in family(self.process.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
                total += sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{what}:"))
        return total

    def worked(self) -> float:
        """Seconds of processor time of the server and the processes that it has started, until now."""
        ticks = 0
        for pid in family(self.process.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def forget_peak(self) -> None:
        """The highest memory counts from here on."""
        for pid in family(self.process.pid):
            with contextlib.suppress(OSError):
                pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Asker:
    """One connection of a client that waits for each answer."""

    def __init__(self, server: Server, key: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.headers = {"authorization": f"Bearer {key or server.key}"}

    def __call__(self, method: str, path: str, body: object = None, media_type: str = "application/json") -> bytes:
        """The bytes of an answer that says yes; anything else is the end of the benchmark."""
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        headers = self.headers if raw is None else {**self.headers, "content-type": media_type}
        self.connection.request(method, f"/api/v1{path}", raw, headers)
        answer = self.connection.getresponse()
        read = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"error: {method} {path}: expected success, found {answer.status}: {read[:500]!r}")
        return read

    def json(self, method: str, path: str, body: object = None) -> dict:
        return json.loads(self(method, path, body))

    def check(self, session_id: str, answer: str, documents: list[str]) -> dict:
        """A session from its opening to the end of its check."""
        self("POST", "/sessions", {"session_id": session_id, "query": "How much annual leave is there?", "answer": answer})
        job = self.json("POST", f"/sessions/{session_id}/check", {"documents": documents})
        said = self("GET", f"/jobs/{job['job_id']}/events").decode()
        end = json.loads(said.rpartition("data: ")[2])
        if end["state"] != "done":
            raise SystemExit(f"error: expected a check that is done, found {end}")
        return end


@contextlib.contextmanager
def dalil(program: pathlib.Path, folder: pathlib.Path, store: str | None = None) -> Iterator[Server]:
    """`dalil serve` on a new store: in the folder, or at a URL with the lake in the folder."""
    folder.mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DALIL_")}
    if store:
        environment |= {"DALIL_STORE": store, "DALIL_LAKE": f"file:{folder / 'lake'}"}
        environment |= {"DALIL_IDENTITY": str(folder / "identity")}

    def run(*arguments: str) -> dict:
        done = subprocess.run(
            [program, *arguments, "--tenant", "acme", "--actor", "system", "--json"],
            cwd=folder, env=environment, check=True, stdout=subprocess.PIPE,
        )
        return json.loads(done.stdout)

    subprocess.run([program, "tenant", "create", "acme", "--origin", "dalil.example/acme", "--json"],
                   cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    run("member", "add", "amal", "--role", "admin")
    run("member", "add", "noura", "--role", "approver", "--title", "manager")
    scopes = [part for scope in ("view", "record", "export") for part in ("--scope", scope)]
    key = run("apikey", "add", "--for", "person:amal", *scopes)["api_key"]
    approver = run("apikey", "add", "--for", "person:noura", "--scope", "review")["api_key"]
    (folder / "server.json").write_text(json.dumps(LIMITS))
    with serve(program, folder, environment, key) as server:
        server.approver_key = approver
        yield server


@contextlib.contextmanager
def again(program: pathlib.Path, folder: pathlib.Path, before: Server) -> Iterator[Server]:
    """The server once more, on the store in a folder that another had before."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DALIL_")}
    with serve(program, folder, environment, before.key) as server:
        yield server


@contextlib.contextmanager
def serve(program: pathlib.Path, folder: pathlib.Path, environment: dict, key: str) -> Iterator[Server]:
    port = free_port()
    command = [program, "serve", "--listen", f"127.0.0.1:{port}", "--config", "server.json"]
    with running(command, folder, environment, port, key) as server:
        yield server


@contextlib.contextmanager
def service(python: pathlib.Path, folder: pathlib.Path, url: str, ledgers: list[dict]) -> Iterator[Server]:
    """The service in `fastapi/`, with two workers, on a database of its own."""
    folder.mkdir(parents=True)
    key, pepper, port = f"key_{secrets.token_hex(16)}", secrets.token_hex(16), free_port()
    (folder / "given.json").write_text(json.dumps({"key": key, "pepper": pepper, "ledgers": ledgers}))
    subprocess.run([python, HERE / "fastapi" / "seed.py", url, folder / "given.json"], check=True)
    environment = {**os.environ, "SERVICE_DATABASE": url, "SERVICE_PEPPER": pepper}
    command = [
        python, "-m", "uvicorn", "app:app", "--app-dir", HERE / "fastapi", "--host", "127.0.0.1", "--port", str(port),
        "--workers", "2", "--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning",
    ]
    with running(command, folder, environment, port, key) as server:
        yield server


@contextlib.contextmanager
def running(command: list, folder: pathlib.Path, environment: dict, port: int, key: str) -> Iterator[Server]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    server = Server(process, port, key)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            if process.poll() is not None:
                break
            time.sleep(0.05)
        else:
            raise SystemExit("error: expected a server that answers within 30 seconds, found none")
        if process.poll() is not None:
            raise SystemExit(f"error: the server did not begin: {(folder / 'log').read_text()[-2000:]}")
        # The second worker may be slower than the first.
        time.sleep(1)
        yield server
    finally:
        if process.poll() is None:
            server.stop()


@contextlib.contextmanager
def postgres(folder: pathlib.Path) -> Iterator[str]:
    """A PostgreSQL of our own, as it comes; gives the address without a database."""
    said = subprocess.run([POSTGRES, "start", folder], check=True, capture_output=True, text=True).stdout
    try:
        yield said.split("'")[1].rpartition("/")[0]
    finally:
        subprocess.run([POSTGRES, "remove", folder], check=True)


def database(address: str, name: str) -> str:
    """A new database."""
    command = ["psql", "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "-c", f"CREATE DATABASE {name}"]
    subprocess.run([*command, f"{address}/postgres"], check=True)
    return f"{address}/{name}"


def upload_corpus(ask: Asker) -> list[str]:
    """The documents that answers are checked against."""
    return [upload(ask, name, (EXAMPLES / "corpus" / name).read_bytes()) for name in CORPUS]


def upload(ask: Asker, name: str, content: bytes) -> str:
    return json.loads(ask("POST", f"/documents?filename={name}", content, "text/markdown"))["document_id"]


def family(pid: int) -> list[int]:
    """A process and those that it has started."""
    own, waiting = [], [pid]
    while waiting:
        pid = waiting.pop()
        own.append(pid)
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for children in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
                waiting += map(int, children.read_text().split())
    return own


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]
