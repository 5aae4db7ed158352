"""Networks of the tests' own: namespaces that are joined by a router, which can keep them apart."""

import ctypes
import os
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
CHUNK = 65536


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def inside(namespace: str, make: Callable[[], Made]) -> Made:
    """Calls `make` inside of the namespace. A socket that it opens stays there."""
    made: list[Made] = []
    failed: list[BaseException] = []

    def work():
        try:
            with open(f"/run/netns/{namespace}", "rb") as file:
                if LIBC.setns(file.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            made.append(make())
        except BaseException as error:  # Shown by the thread that waits.
            failed.append(error)

    # A thread of its own: it stays in the namespace.
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return made[0]


class Doorway:
    """Inside of a namespace, a port on localhost that leads to the same port outside."""

    def __init__(self, namespace: str, port: int):
        self.port = port
        # Cleared while nothing gets through.
        self.flows = threading.Event()
        self.flows.set()
        # Of the connections that are open now: cleared for good once these are stranded.
        self.holds = threading.Event()
        self.holds.set()
        self.listening = inside(namespace, lambda: socket.create_server(("127.0.0.1", port)))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                inner, _ = self.listening.accept()
            except OSError:
                return
            self.flows.wait()
            try:
                outer = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                inner.close()
                continue
            for source, target in ((inner, outer), (outer, inner)):
                threading.Thread(target=self.carry, args=(source, target, self.holds), daemon=True).start()

    def hold(self) -> None:
        """Nothing gets through until `go_on`."""
        self.flows.clear()

    def go_on(self) -> None:
        self.flows.set()

    def strand(self) -> None:
        """Nothing gets through the connections that are open now, ever again. New ones work."""
        self.holds.clear()
        self.holds = threading.Event()
        self.holds.set()

    def carry(self, source: socket.socket, target: socket.socket, holds: threading.Event) -> None:
        try:
            while chunk := source.recv(CHUNK):
                self.flows.wait()
                holds.wait()
                target.sendall(chunk)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()


def caller_program(folder: Path, kind: str, namespace: str, executable: str) -> str:
    """A program that starts a browser inside of a caller's network."""
    program = folder / f"browser-{kind}"
    program.write_text(f'#!/bin/sh\nexec ip netns exec {namespace} {executable} "$@"\n')
    program.chmod(0o755)
    return str(program)


class Networks:
    """Two callers and a relay, each in a network of its own, with a router between them. Only addresses for
    documentation are used (RFC 5737)."""

    CALLERS = {"a": ("198.51.100.2", "198.51.100.1"), "b": ("198.51.100.6", "198.51.100.5")}
    RELAY = ("203.0.113.10", "203.0.113.1")

    def __init__(self, folder: Path):
        self.folder = folder
        self.prefix = f"ear{os.getpid()}"
        self.router = self.name("r")
        self.doorways: list[Doorway] = []
        self.made: list[str] = []
        for kind in ("r", "a", "b", "t"):
            run("ip", "netns", "add", self.name(kind))
            self.made.append(self.name(kind))
            run("ip", "-n", self.name(kind), "link", "set", "lo", "up")
        for kind, (address, gateway) in self.CALLERS.items():
            self.join(kind, f"{address}/30", f"{gateway}/30")
        self.join("t", f"{self.RELAY[0]}/24", f"{self.RELAY[1]}/24")
        run("ip", "netns", "exec", self.router, "sysctl", "-qw", "net.ipv4.ip_forward=1")

    def name(self, kind: str) -> str:
        return f"{self.prefix}{kind}"

    def join(self, kind: str, address: str, gateway: str) -> None:
        own, router = self.name(kind), self.router
        run("ip", "-n", own, "link", "add", "eth", "type", "veth", "peer", "name", f"to{kind}", "netns", router)
        run("ip", "-n", own, "addr", "add", address, "dev", "eth")
        run("ip", "-n", router, "addr", "add", gateway, "dev", f"to{kind}")
        run("ip", "-n", own, "link", "set", "eth", "up")
        run("ip", "-n", router, "link", "set", f"to{kind}", "up")
        run("ip", "-n", own, "route", "add", "default", "via", gateway.split("/")[0])

    def keep_callers_apart(self) -> None:
        """The callers reach the relay, and not each other."""
        table = ["ip", "netns", "exec", self.router, "nft", "add"]
        run(*table, "table", "inet", "f")
        run(*table, "chain", "inet", "f", "block", "{ type filter hook forward priority 0; }")
        for one, other in (("toa", "tob"), ("tob", "toa")):
            run(*table, "rule", "inet", "f", "block", "iifname", one, "oifname", other, "counter", "drop")

    def blocked(self) -> int:
        """How many packets between the callers were dropped."""
        rules = run("ip", "netns", "exec", self.router, "nft", "list", "chain", "inet", "f", "block").split()
        return sum(int(rules[place + 1]) for place, word in enumerate(rules) if word == "packets")

    def chromium(self, kind: str, executable: str) -> str:
        return caller_program(self.folder, kind, self.name(kind), executable)

    def open_door(self, kind: str, port: int) -> None:
        """From now on, this port on localhost leads out of the network."""
        self.doorways.append(Doorway(self.name(kind), port))

    def close(self) -> None:
        for doorway in self.doorways:
            doorway.close()
        for name in self.made:
            run("ip", "netns", "delete", name)
