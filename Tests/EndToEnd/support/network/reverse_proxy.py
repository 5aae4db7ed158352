"""nginx and Caddy with the configuration files that Earshot ships, changed only where a test has to: ports, names and
the certificate."""

import os
import socket
import subprocess
import time
from pathlib import Path

from support.network.certificates import Certificate
from support.server import PATIENCE, ROOT, free_port
from support.voice import speech

EXAMPLES = ROOT / "packaging/proxy"


class ReverseProxy:
    """A running proxy with TLS on a port of this machine."""

    def __init__(self, folder: Path, port: int, command: list[str]):
        self.port = port
        self.log_path = folder / "proxy.log"
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=folder,
                env={**os.environ, "HOME": str(folder)},
            )

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    @property
    def socket_url(self) -> str:
        return f"wss://localhost:{self.port}/v1/socket"

    def wait(self) -> "ReverseProxy":
        """Until it takes connections."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            assert self.process.poll() is None, f"the proxy ended:\n{self.log_path.read_text()}"
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"the proxy was not ready:\n{self.log_path.read_text()}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def nginx(folder: Path, server_port: int, certificate: Certificate) -> ReverseProxy:
    """nginx with packaging/proxy/nginx.conf."""
    speech.need("nginx")
    folder.mkdir(parents=True, exist_ok=True)
    port, plain = free_port(), free_port()
    example = replaced(
        EXAMPLES / "nginx.conf",
        {
            "127.0.0.1:8080": f"127.0.0.1:{server_port}",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
            "listen 80;": f"listen 127.0.0.1:{plain};",
            "/etc/letsencrypt/live/chat.shop.example/fullchain.pem": str(certificate.chain),
            "/etc/letsencrypt/live/chat.shop.example/privkey.pem": str(certificate.key),
            "chat.shop.example": "localhost",
        },
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log {folder}/error.log warn;\n"
        "events { worker_connections 1024; }\n"
        f"http {{\ninclude /etc/nginx/mime.types;\naccess_log {folder}/access.log;\n{temporary}\n{example}\n}}\n"
    )
    return ReverseProxy(folder, port, ["nginx", "-c", str(configuration), "-e", f"{folder}/error.log"]).wait()


def caddy(folder: Path, server_port: int, certificate: Certificate) -> ReverseProxy:
    """Caddy with packaging/proxy/Caddyfile."""
    speech.need("caddy")
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    site = f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate.chain} {certificate.key}"
    example = replaced(
        EXAMPLES / "Caddyfile",
        {
            "chat.shop.example {": site,
            "127.0.0.1:8080": f"127.0.0.1:{server_port}",
        },
    )
    configuration = folder / "Caddyfile"
    configuration.write_text(
        f"{{\n\tadmin off\n\tauto_https off\n\tstorage file_system {folder}/storage\n}}\n{example}"
    )
    return ReverseProxy(folder, port, ["caddy", "run", "--adapter", "caddyfile", "--config", str(configuration)]).wait()


def replaced(path: Path, changes: dict[str, str]) -> str:
    """The file with each text changed; a text that the file does not have is an error of the test."""
    text = path.read_text()
    for old, new in changes.items():
        assert old in text, f"{path.name} does not have: {old}"
        text = text.replace(old, new)
    return text
