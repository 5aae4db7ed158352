"""A cable between the networks of two callers, which can be slow, lose packets, be cut and be plugged in elsewhere. The
kernel's own `netem` is not everywhere, so packets go through this process."""

import fcntl
import heapq
import os
import random
import select
import struct
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from support.network.namespaces import Doorway, caller_program, run

TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001
SIDES = {"a": "198.51.100.2", "b": "198.51.100.6"}
# What `a` has after it was plugged in elsewhere.
ELSEWHERE = "198.51.100.9"


@dataclass
class Line:
    """How good the cable is."""

    loss: float = 0
    delay: float = 0  # seconds, each way
    bits: float = 0  # bits a second each way; 0: as many as come
    queue: float = 0.3  # seconds of packets that wait for a slow line; the rest is lost


def tun(name: str) -> int:
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN_NO_PI))
    return file


class Cable:
    """Two namespaces, each with one end of a cable, and a door for signals that is cut with it."""

    def __init__(self, folder: Path, line: Line | None = None, seed: int = 1):
        self.folder, self.line, self.random = folder, line or Line(), random.Random(seed)
        self.prefix = f"cab{os.getpid()}"
        self.up, self.ends = True, False
        self.doorways: list[Doorway] = []
        self.files: dict[str, int] = {}
        for side, address in SIDES.items():
            name, device = self.name(side), f"{self.prefix}{side}"
            run("ip", "netns", "add", name)
            self.files[side] = tun(device)
            run("ip", "link", "set", device, "netns", name)
            run("ip", "-n", name, "link", "set", "lo", "up")
            run("ip", "-n", name, "link", "set", device, "up", "mtu", "1400")
            run("ip", "-n", name, "addr", "add", f"{address}/24", "dev", device)
            run("ip", "-n", name, "route", "add", "default", "dev", device)
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def name(self, side: str) -> str:
        return f"{self.prefix}{side}"

    def work(self) -> None:
        """Moves packets: a queue by time, and the moment at which each direction is free again."""
        a, b = self.files["a"], self.files["b"]
        waiting: list[tuple[float, int, int, bytes]] = []
        free, count = {a: 0.0, b: 0.0}, 0
        while not self.ends:
            due = max(0.0, min(waiting[0][0] - time.monotonic(), 0.1)) if waiting else 0.1
            for file in select.select([a, b], [], [], due)[0]:
                packet, now = os.read(file, 2048), time.monotonic()
                if not self.up or self.random.random() < self.line.loss:
                    continue
                leaves = max(now, free[file])
                if self.line.bits:
                    if leaves - now > self.line.queue:
                        continue
                    leaves += len(packet) * 8 / self.line.bits
                    free[file] = leaves
                count += 1
                heapq.heappush(waiting, (leaves + self.line.delay, count, b if file == a else a, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, other, packet = heapq.heappop(waiting)
                if self.up:
                    os.write(other, packet)

    def cut(self) -> None:
        """Nothing arrives any longer, and nobody is told."""
        self.up = False
        for doorway in self.doorways:
            doorway.hold()

    def mend(self) -> None:
        self.up = True
        for doorway in self.doorways:
            doorway.go_on()

    def plug_in_elsewhere(self) -> None:
        """`a` gets another address in place of the one it had. The sockets of its signals are dead, and nobody says
        so."""
        name, device = self.name("a"), f"{self.prefix}a"
        # The last address of a network takes the others of that network along.
        run("ip", "-n", name, "addr", "del", f"{SIDES['a']}/24", "dev", device)
        run("ip", "-n", name, "addr", "add", f"{ELSEWHERE}/24", "dev", device)
        run("ip", "-n", name, "route", "replace", "default", "dev", device)
        self.doorways[0].strand()

    def chromium(self, side: str, executable: str) -> str:
        return caller_program(self.folder, side, self.name(side), executable)

    def open_door(self, side: str, port: int) -> None:
        self.doorways.append(Doorway(self.name(side), port))

    def close(self) -> None:
        self.mend()
        self.ends = True
        self.thread.join()
        for doorway in self.doorways:
            doorway.close()
        for side, file in self.files.items():
            os.close(file)
            run("ip", "netns", "delete", self.name(side))
