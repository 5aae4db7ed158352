"""Forges consumers' tokens from a backup alone, without the master key, and tries them against a server.

By hand, next to a running server:

    PYTHONPATH=Tests/EndToEnd .venv/bin/python -m support.forgery BACKUP ws://localhost:8080/v1/socket
"""

import base64
import hashlib
import hmac
import json
import re
import sqlite3
import sys
import time
from pathlib import Path

from support import wire

MAC_BYTES = 16


def rows(backup: Path, sql: str) -> list[tuple]:
    with sqlite3.connect(f"file:{backup / 'earshot.sqlite'}?mode=ro", uri=True) as database:
        return database.execute(sql).fetchall()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def candidates(backup: Path) -> set[tuple[str, bytes]]:
    """Everything in the files of keys that could be a key, each with the id that it may have."""
    ids, found = {"1"}, set()
    for name in ("token-keys.json", "sealing-key", "signing-key", "media/key"):
        content = (backup / name).read_bytes()
        found.add(content)
        found.update(decoded(word) for word in re.findall(r"[A-Za-z0-9_-]{16,}", content.decode(errors="replace")))
        try:
            keys = json.loads(content)
            ids.update(key["id"] for key in keys)
            found.update(bytes(key["secret"]) for key in keys)
        except (ValueError, TypeError, KeyError):
            pass
    longer = {secret[cut:cut + 32] for secret in found for cut in (0, 12) if len(secret) > 32}
    return {(key, secret) for key in ids for secret in found | longer}


def tokens(backup: Path) -> list[str]:
    """A token for every conversation of the backup, by everything that could be a key."""
    owners = rows(
        backup,
        "SELECT f.account, c.app, c.consumer, c.id FROM conversation c JOIN feed f ON f.pk = c.feed WHERE c.closed < 2")
    assert owners, "the backup has no conversation"
    forged = []
    for key, secret in sorted(candidates(backup)):
        for owner in owners:
            body = ".".join(["e2", key, *owner, str(int(time.time()))])
            mac = hmac.digest(secret, body.encode(), hashlib.sha256)[:MAC_BYTES]
            forged.append(f"{body}.{encoded(mac)}")
    return forged


async def events(socket_url: str, token: str) -> list[dict]:
    """The events that a server gives the bearer of a token; none where it refuses the token."""
    link = await wire.Link.open(socket_url, {"token": token})
    try:
        ready = await link.until("ready")
        return ready["ready"]["events"]
    except wire.LOST:
        return []
    finally:
        link.drop()


def stolen(backup: Path, socket_url: str) -> list[dict]:
    """All events that a server gives for forged tokens."""
    return [event for token in tokens(backup) for event in wire.run(events(socket_url, token))]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    got = stolen(folder, sys.argv[2])
    print(f"{len(tokens(folder))} forged tokens, {len(got)} events: {[event.get('text') for event in got]}")
    sys.exit(1 if got else 0)
