"""A real coturn with the shipped configuration, and a client that asks it for what it must not give."""

import base64
import hashlib
import hmac
import socket
import struct
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from support.network.namespaces import inside
from support.server import PATIENCE, ROOT
from support.voice.speech import need

SHIPPED = ROOT / "packaging/relay/turnserver.conf"
SECRET = "a-secret-of-the-tests-0123456789"
REALM = "calls.example"
COOKIE = 0x2112A442
ALLOCATE, SEND, CREATE_PERMISSION, CHANNEL_BIND = 0x003, 0x016, 0x008, 0x009
USERNAME, INTEGRITY, ERROR, PEER, DATA, REALM_NAME, NONCE = 0x06, 0x08, 0x09, 0x12, 0x13, 0x14, 0x15
FAMILY, TRANSPORT, CHANNEL = 0x17, 0x19, 0x0C


class Coturn:
    """One coturn inside of a namespace."""

    def __init__(self, namespace: str, address: str, folder: Path, port: int = 3478):
        need("turnserver")
        self.namespace, self.address, self.port, self.folder = namespace, address, port, folder
        text = SHIPPED.read_text()
        for placeholder, value in (("ADDRESS", address), ("SECRET", SECRET), ("REALM", REALM)):
            text = text.replace(f"={placeholder}\n", f"={value}\n")
        self.configuration = folder / "turnserver.conf"
        self.configuration.write_text(f"{text}\npidfile={folder}/turn.pid\nuserdb={folder}/turn.sqlite\n")
        self.secret = folder / "relay-secret"
        self.secret.write_text(f"{SECRET}\n")
        self.process: subprocess.Popen | None = None

    @property
    def settings(self) -> dict[str, str]:
        """What Earshot needs to find it."""
        return {
            "EARSHOT_RELAY_URLS": f"turn:{self.address}:{self.port}?transport=udp",
            "EARSHOT_RELAY_SECRET_FILE": str(self.secret),
        }

    def start(self) -> "Coturn":
        """Started by a shell that kills it when the tests are gone."""
        command = 'ip netns exec "$0" turnserver -c "$1" --log-file stdout >"$2" 2>&1 & read _; kill $!; wait $!'
        self.process = subprocess.Popen(
            ["sh", "-c", command, self.namespace, str(self.configuration), str(self.folder / "turn.log")],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        began = time.monotonic()
        while not self.answers():
            assert time.monotonic() - began < PATIENCE, (self.folder / "turn.log").read_text()
        return self

    def answers(self) -> bool:
        """Waits a moment where it does not (a poll of the outside)."""
        with TurnClient(self, self.namespace, timeout=0.2) as client:
            try:
                return client.allocate("nobody", "nothing") == 401
            except OSError:
                return False

    def stop(self) -> None:
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


def credential(name: str, *, lasts: int = 600, secret: str = SECRET) -> tuple[str, str]:
    """A name and a password, as Earshot makes them."""
    username = f"{int(time.time()) + lasts}:{name}"
    code = hmac.new(secret.encode(), username.encode(), hashlib.sha1).digest()
    return username, base64.b64encode(code).decode()


@dataclass
class Answer:
    attributes: dict[int, bytes]
    # 0 where it was granted.
    refusal: int


class TurnClient:
    """A client of a relay that asks for anything (RFC 8656)."""

    def __init__(self, relay: Coturn, namespace: str, timeout: float = PATIENCE):
        self.relay = relay
        self.socket = inside(namespace, lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.socket.settimeout(timeout)
        self.socket.connect((relay.address, relay.port))
        self.key, self.signed = b"", b""

    def __enter__(self) -> "TurnClient":
        return self

    def __exit__(self, *_) -> None:
        self.socket.close()

    def allocate(self, username: str, password: str, family: int = 4) -> int:
        """Asks for an address on the relay. 0: granted, else the number of the refusal."""
        wanted = self.attribute(TRANSPORT, bytes([17, 0, 0, 0]))
        if family == 6:
            wanted += self.attribute(FAMILY, bytes([2, 0, 0, 0]))
        challenge = self.ask(ALLOCATE, wanted)
        realm, nonce = challenge.attributes[REALM_NAME], challenge.attributes[NONCE]
        self.key = hashlib.md5(f"{username}:{realm.decode()}:{password}".encode()).digest()
        self.signed = (
            self.attribute(USERNAME, username.encode()) + self.attribute(REALM_NAME, realm)
            + self.attribute(NONCE, nonce)
        )
        return self.ask(ALLOCATE, wanted).refusal

    def permit(self, address: str) -> int:
        return self.ask(CREATE_PERMISSION, self.peer(address, 0)).refusal

    def bind(self, address: str, port: int, channel: int = 0x4000) -> int:
        return self.ask(
            CHANNEL_BIND, self.attribute(CHANNEL, struct.pack(">HH", channel, 0)) + self.peer(address, port)
        ).refusal

    def send(self, address: str, port: int, data: bytes) -> None:
        """Nothing answers."""
        self.socket.send(self.message(SEND, bytes(12), self.peer(address, port) + self.attribute(DATA, data)))

    # The peer's address is masked with the cookie and the message's id, which is all zeros here.
    def peer(self, address: str, port: int) -> bytes:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        raw = socket.inet_pton(family, address)
        mask = struct.pack(">I", COOKIE) + bytes(12)
        masked = bytes(one ^ other for one, other in zip(raw, mask))
        return self.attribute(PEER, struct.pack(">BBH", 0, 2 if ":" in address else 1, port ^ 0x2112) + masked)

    @staticmethod
    def attribute(kind: int, value: bytes) -> bytes:
        return struct.pack(">HH", kind, len(value)) + value + bytes(-len(value) % 4)

    def message(self, method: int, transaction: bytes, body: bytes) -> bytes:
        def head(length: int) -> bytes:
            return struct.pack(">HHI", method, length, COOKIE) + transaction

        if not self.key or method == SEND:
            return head(len(body)) + body
        body += self.signed
        signature = hmac.new(self.key, head(len(body) + 24) + body, hashlib.sha1).digest()
        return head(len(body) + 24) + body + self.attribute(INTEGRITY, signature)

    def ask(self, method: int, body: bytes) -> Answer:
        transaction = bytes(12)
        self.socket.send(self.message(method, transaction, body))
        raw = self.socket.recv(2048)
        attributes, rest = {}, raw[20:]
        while len(rest) >= 4:
            kind, length = struct.unpack(">HH", rest[:4])
            attributes.setdefault(kind, rest[4 : 4 + length])
            rest = rest[4 + length + -length % 4 :]
        code = attributes.get(ERROR)
        return Answer(attributes, code[2] * 100 + code[3] if code else 0)
