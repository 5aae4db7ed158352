"""A renewed certificate is used without a restart."""

import socket
import ssl
import subprocess
from pathlib import Path

from support.server import Server


def make(folder: Path, name: str) -> tuple[str, str]:
    """A self-made certificate and its key, in PEM."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        + ["-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost"]
        + ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")],
        check=True,
        capture_output=True,
    )
    return (folder / f"{name}.pem").read_text(), (folder / f"{name}.key").read_text()


class Secure(Server):
    """The server with TLS; it answers when a TLS client gets through."""

    def answers(self) -> bool:
        try:
            return ask(connect(self)).startswith(b"HTTP/1.1 200")
        except OSError:
            return False


def connect(server: Server) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    (context.check_hostname, context.verify_mode) = (False, ssl.CERT_NONE)
    return context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), timeout=15))


def ask(link: ssl.SSLSocket) -> bytes:
    link.sendall(f"GET /v1/ready HTTP/1.1\r\nHost: localhost:{link.getpeername()[1]}\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"}"):
        answer += (piece := link.recv(65536))
        if not piece:
            break
    return answer


def in_use(server: Server) -> str:
    with connect(server) as link:
        return ssl.DER_cert_to_PEM_cert(link.getpeercert(binary_form=True)).strip()


def test_a_renewed_certificate_is_used_without_a_restart(tmp_path):
    (first, first_key), (second, second_key) = make(tmp_path, "first"), make(tmp_path, "second")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate.write_text(first)
    key.write_text(first_key)
    server = Secure(
        tmp_path / "server",
        {"EARSHOT_TLS_CERTIFICATE": str(certificate), "EARSHOT_TLS_KEY": str(key)},
    ).start()
    try:
        old = connect(server)
        assert ask(old).startswith(b"HTTP/1.1 200") and in_use(server) == first.strip()
        # The certificate without its key: not usable, and the first one stays.
        certificate.write_text(second)
        while "cannot be used" not in server.log():
            pass
        assert in_use(server) == first.strip()
        key.write_text(second_key)
        while "was renewed" not in server.log():
            pass
        assert in_use(server) == second.strip()
        assert ask(old).startswith(b"HTTP/1.1 200"), "an open connection goes on"
        assert server.log().count("cannot be used") == 1
    finally:
        server.stop()
