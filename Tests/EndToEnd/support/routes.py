"""The routes of docs/protocol.md, read from its table, so that a route without a test fails the build."""

import re

from support.server import ROOT

LINE = re.compile(r"^\| (`(?:GET|POST|PUT|PATCH|DELETE) /[^|]*)\|", re.M)
ROUTE = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`\s]*)")


def documented() -> set[tuple[str, str]]:
    """Method and path, without the query: ("PATCH", "/v1/uploads/{upload}")."""
    section = (ROOT / "docs/protocol.md").read_text().split("## 1. HTTP")[1].split("\n## ")[0]
    found = {(method, path.split("?")[0]) for line in LINE.findall(section) for method, path in ROUTE.findall(line)}
    assert len(found) >= 13, "the table of routes was not found in docs/protocol.md"
    return found
