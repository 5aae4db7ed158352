"""schemathesis reads docs/openapi.yaml and sends every operation what the document allows and what it forbids, as
anyone, as a consumer and as a manager. The server answers nothing with 5xx, and nothing that the document lacks."""

import subprocess

import pytest
import yaml

from support import api
from support.demo import Demo
from support.server import ROOT, Server
from support.voice import speech

EXAMPLES = 5
NIGHTLY_EXAMPLES = 200
CHECKS = ",".join([
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "missing_required_header", "unsupported_method",
])
# Both would take the credentials away that the other operations need.
LEFT_OUT = ["/v1/logout", "/v1/password"]


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """docs/openapi.yaml without what it says about credentials: this test sends its own with every request, also where
    schemathesis leaves out what the document requires. Tests of access are in security/test_access.py."""
    schema = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text())
    schema["components"].pop("securitySchemes")
    for path in schema["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict):
                operation.pop("security", None)
    target = tmp_path_factory.mktemp("openapi") / "openapi.yaml"
    target.write_text(yaml.safe_dump(schema))
    return target


def headers_of(who: str, server: Server, demo: Demo) -> dict[str, str]:
    if who == "consumer":
        return api.new_consumer(server.url, demo).headers
    if who == "manager":
        manager = api.Agent(server.url, demo.account, demo.manager)
        return {"Cookie": manager.cookie, **manager.headers}
    return {}


@pytest.mark.parametrize("who", ["anyone", "consumer", "manager"])
def test_the_server_is_as_its_document_says(who, server, demo, document, nightly):
    speech.need(str(ROOT / ".venv/bin/schemathesis"))
    command = [
        ROOT / ".venv/bin/schemathesis", "run", document, "--url", server.url, "--no-color", "--checks", CHECKS,
        "--phases", "coverage,fuzzing", "--max-examples", str(NIGHTLY_EXAMPLES if nightly else EXAMPLES),
        "--seed", "1", "--generation-database", "none",
    ]
    for path in LEFT_OUT:
        command += ["--exclude-path", path]
    for name, value in headers_of(who, server, demo).items():
        command += ["-H", f"{name}: {value}"]
    told = subprocess.run(command, capture_output=True, text=True, cwd=document.parent)
    assert told.returncode == 0, told.stdout[-12_000:] + told.stderr[-2_000:]
    assert "No issues found" in told.stdout or " passed" in told.stdout, told.stdout[-2_000:]
