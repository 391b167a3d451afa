"""A time-stamping authority over HTTP, by `openssl ts`: `tsa.py DIR`.

`POST /KIND/SHA` stamps, with a key of the kind `rsa`, `p256` or `p384` and the digest `sha256`,
`sha384` or `sha512`; `DIR/KIND.pem` is the root of its certificate. Other paths misbehave as the
functions below say. The port is in `DIR/port` once it listens.
"""

import http.server
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

SETTINGS = """
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[leaf]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
serial = {dir}/serial
default_policy = 1.2.3.4.1
digests = {digests}
signer_digest = {sha}
ess_cert_id_alg = sha256
"""
CURVES = {"p256": "P-256", "p384": "P-384"}
TYPE = "application/timestamp-reply"
# Calls share settings and the next serial number.
ONE_AT_A_TIME = threading.Lock()


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


def make_keys(folder: pathlib.Path) -> None:
    (folder / "serial").write_text("01\n")
    write_settings(folder, "settings", "sha256", "sha256")
    for kind in ("rsa", *CURVES):
        for key in (kind, f"{kind}-leaf"):
            option = f"ec_paramgen_curve:{CURVES[kind]}" if kind in CURVES else "rsa_keygen_bits:2048"
            algorithm = "EC" if kind in CURVES else "RSA"
            run("openssl", "genpkey", "-algorithm", algorithm, "-pkeyopt", option, "-out", f"{folder}/{key}.key")
        root, leaf, settings = (f"{folder}/{name}" for name in (kind, f"{kind}-leaf", "settings"))
        request = ("openssl", "req", "-new", "-config", settings, "-subj")
        run(*request, f"/CN={kind} root", "-x509", "-key", f"{root}.key", "-days", "30", "-extensions", "root", "-out", f"{root}.pem")
        run(*request, f"/CN={kind}", "-key", f"{leaf}.key", "-out", f"{leaf}.csr")
        run(
            *("openssl", "x509", "-req", "-in", f"{leaf}.csr", "-CA", f"{root}.pem", "-CAkey", f"{root}.key"),
            *("-CAcreateserial", "-days", "30", "-extfile", settings, "-extensions", "leaf", "-out", f"{leaf}.pem"),
        )


def write_settings(folder: pathlib.Path, name: str, digests: str, sha: str) -> None:
    (folder / name).write_text(SETTINGS.format(dir=folder, digests=digests, sha=sha))


def stamp(folder: pathlib.Path, query: bytes, kind: str, sha: str, digests: str = "sha256") -> bytes:
    with ONE_AT_A_TIME, tempfile.TemporaryDirectory() as scratch:
        here = pathlib.Path(scratch)
        (here / "query").write_bytes(query)
        write_settings(folder, f"settings-{sha}-{digests}", digests, sha)
        run(
            *("openssl", "ts", "-reply", "-config", f"{folder}/settings-{sha}-{digests}", "-section", "tsa"),
            *("-queryfile", f"{here}/query", "-signer", f"{folder}/{kind}-leaf.pem"),
            *("-inkey", f"{folder}/{kind}-leaf.key", "-out", f"{here}/reply"),
        )
        return (here / "reply").read_bytes()


class Authority(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        query = self.rfile.read(int(self.headers["content-length"]))
        if self.headers["content-type"] != "application/timestamp-query":
            return self.reply(415, "text/plain", b"no query")
        if match := re.fullmatch("/(rsa|p256|p384)/(sha256|sha384|sha512)", self.path):
            return self.reply(200, TYPE, stamp(self.server.folder, query, *match.groups()))
        return getattr(self, "answer_" + self.path.strip("/"), self.answer_missing)(query)

    def answer_refuse(self, query: bytes) -> None:
        """Takes only digests that were not asked about, and says so."""
        self.reply(200, TYPE, stamp(self.server.folder, query, "rsa", "sha256", "sha512"))

    def answer_old(self, query: bytes) -> None:
        """The token of another query."""
        self.reply(200, TYPE, (self.server.folder / "old").read_bytes())

    def answer_another(self, query: bytes) -> None:
        """Stamps another digest, with the nonce of the query."""
        self.reply(200, TYPE, stamp(self.server.folder, query.replace(query[24:56], bytes(32)), "rsa", "sha256"))

    def answer_cut(self, query: bytes) -> None:
        self.reply(200, TYPE, stamp(self.server.folder, query, "rsa", "sha256")[:-1])

    def answer_page(self, _: bytes) -> None:
        self.reply(200, "text/html", b"<p>Welcome.")

    def answer_away(self, _: bytes) -> None:
        self.reply(302, "text/plain", b"", location="/rsa/sha256")

    def answer_missing(self, _: bytes) -> None:
        self.reply(404, "text/plain", b"nothing here")

    def answer_large(self, _: bytes) -> None:
        self.reply(200, TYPE, bytes(1 << 17))

    def answer_slow(self, _: bytes) -> None:
        """Never ends, and sends a byte now and then."""
        (self.server.folder / "slow").touch()
        self.send_response(200)
        self.send_header("content-type", TYPE)
        self.end_headers()
        for _ in range(600):
            self.wfile.write(b"0")
            self.wfile.flush()
            time.sleep(0.1)

    def reply(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    folder = pathlib.Path(sys.argv[1]).resolve()
    make_keys(folder)
    run("openssl", "ts", "-query", "-data", f"{folder}/serial", "-sha256", "-cert", "-out", f"{folder}/old.query")
    (folder / "old").write_bytes(stamp(folder, (folder / "old.query").read_bytes(), "rsa", "sha256"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Authority)
    server.folder = folder
    (folder / "port.new").write_text(f"{server.server_address[1]}\n")
    (folder / "port.new").rename(folder / "port")
    server.serve_forever()


main()
