"""The doctor and a running server: through its public address, behind nginx with the mistakes that people make."""

import subprocess
import time
from pathlib import Path

import pytest
import requests

from support.command import earshot
from support.network.raw_socket import RawSocket
from support.server import free_port
from support.voice import speech

HEADERS = """
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
"""
FORWARDED = "proxy_set_header X-Forwarded-For $remote_addr;"
UPGRADE = "proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;"


def certificate(folder: Path, days: int) -> tuple[Path, Path]:
    key, chain = folder / "key.pem", folder / "cert.pem"
    speech.run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(days), "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(chain))
    return chain, key


class Proxy:
    """nginx in front of a server."""

    def __init__(self, folder: Path, port: int, upstream: int, days: int = 90):
        self.folder, self.port, self.upstream = folder, port, upstream
        self.chain, self.key = certificate(folder, days)
        self.process: subprocess.Popen | None = None

    def start(self, forwarded: str = FORWARDED, upgrade: str = UPGRADE, body: str = "2m") -> None:
        speech.need("nginx")
        path = self.folder / "nginx.conf"
        path.write_text(f"""
            daemon off; pid {self.folder}/nginx.pid; error_log stderr; worker_processes 1;
            events {{ worker_connections 64; }}
            http {{
                access_log off; client_max_body_size {body};
                client_body_buffer_size 2m;
                client_body_temp_path {self.folder}; proxy_temp_path {self.folder}; fastcgi_temp_path {self.folder};
                uwsgi_temp_path {self.folder}; scgi_temp_path {self.folder};
                server {{
                    listen 127.0.0.1:{self.port} ssl;
                    ssl_certificate {self.chain}; ssl_certificate_key {self.key};
                    proxy_http_version 1.1;
                    location / {{ {HEADERS} {forwarded} proxy_pass http://127.0.0.1:{self.upstream}; }}
                    location = /v1/socket {{ {HEADERS} {forwarded} {upgrade}
                        proxy_pass http://127.0.0.1:{self.upstream}; }}
                }}
            }}""")
        self.process = subprocess.Popen(
            ["nginx", "-c", str(path), "-p", str(self.folder)], stderr=subprocess.DEVNULL)
        while not self.listens():
            assert self.process.poll() is None, "nginx ended"
            time.sleep(0.01)  # a poll of the outside: nginx gives no signal

    def listens(self) -> bool:
        try:
            RawSocket(self.port).close()
            return True
        except OSError:
            return False

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(20)


@pytest.fixture
def proxied(new_server, tmp_path):
    """A server that trusts a proxy on this machine, the proxy, and how to ask the doctor."""
    port = free_port()
    server = new_server({"EARSHOT_TRUSTED_PROXIES": "127.0.0.1", "EARSHOT_PUBLIC_URL": f"https://localhost:{port}"})
    server.start()
    proxy = Proxy(tmp_path, port, server.port)

    def ask() -> tuple[int, dict[str, str]]:
        settings = {key: value for key, value in server.environment().items() if key.startswith("EARSHOT_")}
        told = earshot("doctor", "--ca", str(proxy.chain), **settings)
        return told.returncode, found(told.stdout)

    yield server, proxy, ask
    proxy.stop()
    server.stop()


def found(text: str) -> dict[str, str]:
    """What the doctor said of each subject, with its remedy."""
    subjects: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("["):
            mark, name, rest = (line + " ").split(None, 2)
            subjects[name] = f"{subjects.get(name, '')}{mark} {rest}"
        else:
            subjects[name] += line.strip()
    return subjects


def test_the_doctor_finds_nothing_wrong_behind_a_good_proxy(proxied):
    _, proxy, ask = proxied
    proxy.start()
    code, told = ask()
    assert code == 0, "\n".join(f"{name}: {text}" for name, text in told.items())
    for subject in ("server", "tls", "proxy", "socket", "uploads"):
        assert told[subject].startswith("[ok]"), (subject, told)


@pytest.mark.parametrize(
    "mistake, subject, remedy",
    [
        ({"forwarded": ""}, "proxy", "X-Forwarded-For"),
        ({"forwarded": "proxy_set_header X-Forwarded-For unknown;"}, "proxy", "cannot read"),
        ({"upgrade": ""}, "socket", "Upgrade"),
        ({"body": "64k"}, "uploads", "client_max_body_size"),
    ],
)
def test_the_doctor_finds_a_mistake_in_the_proxy_and_says_how_to_fix_it(proxied, mistake, subject, remedy):
    _, proxy, ask = proxied
    proxy.start(**mistake)
    code, told = ask()
    assert code == 1
    assert "[BAD]" in told[subject] and remedy in told[subject], told


def test_the_doctor_says_that_nothing_listens_at_the_public_address(proxied):
    _, _, ask = proxied
    code, told = ask()
    assert code == 1 and "cannot be reached" in told["public"], told


def test_the_doctor_warns_before_a_certificate_ends_and_refuses_one_that_browsers_refuse(proxied, tmp_path):
    server, proxy, ask = proxied
    proxy.chain, proxy.key = certificate(tmp_path, 5)
    proxy.start()
    code, told = ask()
    assert code == 0 and "[look]" in told["tls"] and "Renew" in told["tls"], told
    settings = {key: value for key, value in server.environment().items() if key.startswith("EARSHOT_")}
    unknown = earshot("doctor", **settings)
    assert unknown.returncode == 1 and "refuse the certificate" in unknown.stdout, unknown.stdout


def test_only_the_doctor_is_told_about_the_running_server(server):
    assert requests.get(f"{server.url}/v1/doctor/AAAAAAAAAAAAAAAAAAAAAA", timeout=20).status_code == 404
    assert not list((server.data / ".doctor").glob("*")) if (server.data / ".doctor").exists() else True
