"""Logs as JSON: every line is one object, and the id in an error body leads to the line of its request."""

import json
import re

import requests

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LEVELS = {"trace", "debug", "info", "notice", "warning", "error", "critical"}


def test_every_line_is_an_object_and_a_request_can_be_found(new_server):
    server = new_server({"EARSHOT_LOG_FORMAT": "json", "EARSHOT_LOG_LEVEL": "debug"}).start()
    refused = requests.get(f"{server.url}/v1/session", timeout=20)
    assert refused.status_code == 401
    request = refused.json()["error"]["request"]
    server.stop()
    # Standard output, the banner for people, is in the same file.
    lines = [line for line in server.log().splitlines() if line.startswith("{")]
    objects = [json.loads(line) for line in lines]
    assert len(objects) > 2
    for one in objects:
        assert set(one) <= {"time", "level", "message", "metadata"}, one
        assert TIME.fullmatch(one["time"]) and one["level"] in LEVELS and one["message"], one
    found = [one for one in objects if one.get("metadata", {}).get("request") == request]
    assert [one["metadata"]["status"] for one in found] == ["401"]


def test_an_unknown_format_is_refused_at_start(new_server):
    server = new_server({"EARSHOT_LOG_FORMAT": "xml"})
    try:
        server.start()
    except AssertionError as refusal:
        assert "EARSHOT_LOG_FORMAT must be text or json" in str(refusal)
    else:
        server.stop()
        raise AssertionError("the server started")
