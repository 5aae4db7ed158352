"""The command line: the doctor, configuration errors, TLS with certificate files."""

import ssl

import requests

from support import api, wire
from support.demo import discover
from support.network.raw_socket import RawSocket
from support.server import earshot, free_port
from support.voice import speech


def test_the_doctor_checks_everything(tmp_path):
    told = earshot("doctor", EARSHOT_PORT=str(free_port()), EARSHOT_DATA=str(tmp_path / "data"))
    for subject in ("port", "disk", "address", "clock", "codecs"):
        assert subject in told.stdout, f"{subject} is not looked at:\n{told.stdout}{told.stderr}"


def test_the_doctor_explains_how_to_free_a_port(server, tmp_path):
    told = earshot("doctor", EARSHOT_PORT=str(server.port), EARSHOT_DATA=str(tmp_path / "data"))
    assert told.returncode != 0
    assert "already in use" in told.stdout and "→" in told.stdout, told.stdout


def test_all_configuration_errors_are_reported_at_once(tmp_path):
    told = earshot(
        "serve",
        EARSHOT_PORT="abc",
        EARSHOT_LOG_LEVEL="loud",
        EARSHOT_TLS_KEY="/only/a/key",
        EARSHOT_DATA=str(tmp_path / "data"),
    )
    assert told.returncode != 0
    text = told.stdout + told.stderr
    assert all(name in text for name in ("EARSHOT_PORT", "EARSHOT_LOG_LEVEL", "EARSHOT_TLS_CERTIFICATE")), text


def test_a_public_address_requires_tls(tmp_path):
    told = earshot("serve", EARSHOT_HOST="0.0.0.0", EARSHOT_PORT=str(free_port()), EARSHOT_DATA=str(tmp_path / "data"))
    assert told.returncode != 0 and "TLS" in told.stdout + told.stderr


def test_https_and_wss_work_with_certificate_files(new_server, tmp_path, monkeypatch):
    speech.need("openssl")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    speech.run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    )
    server = new_server({"EARSHOT_TLS_CERTIFICATE": str(certificate), "EARSHOT_TLS_KEY": str(key)})
    server.scheme = "https"
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    server.start()
    demo = discover(server)
    answer = requests.post(
        f"{server.url}/v1/login",
        timeout=20,
        json={"account": demo.account, "email": demo.agent.email, "password": demo.agent.password},
    )
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-earshot=") and all(
        part in cookie for part in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/")
    ), cookie
    consumer = api.new_consumer(server.url, demo)

    async def story():
        link = await wire.Link.open(
            server.socket_url, {"token": consumer.token}, ssl=ssl.create_default_context(cafile=certificate)
        )
        await link.until("ready")
        await link.send({"send": "k", "text": "over TLS"})
        answer = await link.until("ok", "no")
        await link.close()
        return answer

    assert "ok" in wire.run(story())
    assert RawSocket(server.port).send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status() in {
        0,
        400,
        301,
        308,
    }, "plain HTTP is not answered on a TLS port"
    server.stop()


def test_the_callers_own_settings_do_not_reach_a_server_under_test(new_server, monkeypatch):
    """With these in the shell, no test would find a server that answers, a page, or a login in its log."""
    for name, value in {"EARSHOT_LOG_LEVEL": "error", "EARSHOT_WEB": "/nowhere", "EARSHOT_HOST": "::1"}.items():
        monkeypatch.setenv(name, value)
    server = new_server().start()
    assert discover(server).account == "demo"
    assert "Listening" in server.log(), "the log level is the server's own"
    assert requests.get(f"{server.url}/demo/", timeout=20).status_code == 200
    server.stop()
