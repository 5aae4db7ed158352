"""Mounts the disk of support/power_loss_disk.py, cuts its power, fills it, makes it fail; a small disk in memory."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

from support.server import ROOT
from support.voice import speech


class Disk:
    """A mounted disk that can lose its power."""

    def __init__(self, folder: Path):
        self.behind, self.mountpoint = folder / "behind", folder / "disk"
        self.behind.mkdir()
        self.mountpoint.mkdir()

    def mount(self) -> "Disk":
        command = [sys.executable, "-m", "support.power_loss_disk", str(self.behind), str(self.mountpoint)]
        self.process = subprocess.Popen(
            command, cwd=ROOT / "Tests/EndToEnd", stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        while not os.path.ismount(self.mountpoint):
            assert (
                self.process.poll() is None
            ), f"the disk does not mount (is /dev/fuse there?): {self.process.stderr.read().decode()[-500:]}"
        return self

    def cut_power(self) -> None:
        """What was not synced was in the killed process's memory."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.unmount()

    def fail(self, *faults: str) -> None:
        """From now on, until `heal`: see support/power_loss_disk.py."""
        draft = self.behind.with_suffix(".draft")
        draft.write_text("\n".join(faults))
        draft.rename(self.faults)

    def heal(self) -> None:
        self.faults.unlink(missing_ok=True)

    @property
    def faults(self) -> Path:
        return self.behind.with_suffix(".faults")

    def fill(self) -> None:
        self.signal_and_wait(signal.SIGUSR1, is_full=True)

    def make_room(self) -> None:
        self.signal_and_wait(signal.SIGUSR2, is_full=False)

    def signal_and_wait(self, number: int, is_full: bool) -> None:
        """Python runs a signal's handler between two requests: ask until it has."""
        self.process.send_signal(number)
        while self.is_full() != is_full:
            assert self.process.poll() is None

    def is_full(self) -> bool:
        try:
            os.close(os.open(self.mountpoint / ".probe", os.O_CREAT | os.O_WRONLY | os.O_EXCL))
        except OSError:
            return True
        (self.mountpoint / ".probe").unlink()
        return False

    def unmount(self) -> None:
        speech.run("fusermount3", "-u", "-z", str(self.mountpoint))


class SmallDisk:
    """A disk of so many MiB in memory, which fills up as any other."""

    def __init__(self, mountpoint: Path, mebibytes: int):
        self.mountpoint = mountpoint
        mountpoint.mkdir()
        speech.run("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "earshot-test", str(mountpoint))

    def fill(self) -> None:
        """Leaves no space."""
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError as problem:
                assert problem.errno == errno.ENOSPC

    def make_room(self) -> None:
        self.ballast.unlink()

    @property
    def ballast(self) -> Path:
        return self.mountpoint / "ballast"

    def unmount(self) -> None:
        speech.run("umount", "-l", str(self.mountpoint))
