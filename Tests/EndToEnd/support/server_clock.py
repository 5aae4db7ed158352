"""A server whose clock a test sets, by libfaketime (Debian's `faketime`)."""

import os
from pathlib import Path

HOUR, DAY = 3600, 24 * 3600


class Clock:
    """The clock of a server that is started with `settings`. Tests go by their own."""

    def __init__(self, folder: Path, monotonic_too: bool = False):
        """`monotonic_too`: the clock that nobody can set is moved as well, as in a machine that is frozen and wakes."""
        libraries = list(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        assert libraries, "libfaketime is missing: bin/setup test installs it"
        self.file = folder / "clock"
        self.set(0)
        name = f"{os.getpid()}_{folder.name}"
        self.settings = {
            # Named here, for a variable that the library adds makes Swift lose sight of the program's arguments.
            "FAKETIME_SHARED": f"/faketime_sem_{name} /faketime_shm_{name}",
            "LD_PRELOAD": str(libraries[0]), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "0" if monotonic_too else "1",
        }

    def set(self, offset: int) -> None:
        """So many seconds from the real time. In one write: the server reads it at every look at its clock."""
        self.write(f"{offset:+d}")

    def freeze(self, at: str) -> None:
        """Stands still at a moment (`2026-11-22 12:00:00`, in the machine's time zone)."""
        self.write(at)

    def write(self, text: str) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(text + "\n")
        new.replace(self.file)
