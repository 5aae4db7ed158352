"""A disk that can lose its power: a FUSE pass-through that keeps what is written in memory until it is fsynced.

SIGKILL of this process is the power cut: the folder behind it then holds exactly what had been synced. Names (create,
rename, unlink) reach the folder at once, which is kinder than a real disk; contents do not. SIGUSR1 fills the disk,
SIGUSR2 makes room again.

The file BEHIND.faults, if it exists, has one fault per line: `fsync EIO`, `write EROFS` (whatever changes the disk),
`read EIO`, `flush EIO` (an fsync fails once and what was written is lost although it can be read, as Linux does it:
later calls succeed and store nothing of it) or `hang` (nothing is answered until the line is gone).

Run as: python -m support.power_loss_disk BEHIND MOUNTPOINT
"""

import argparse
import errno
import os
import signal
import threading
import time

from fuse import FUSE, FuseOSError, Operations


class File:
    """The contents of one file as its writers see them, and which bytes of them are not yet behind."""

    def __init__(self, path: str):
        self.path = path
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        self.dirty: list[tuple[int, int]] = []
        self.cut = False

    def sync(self) -> None:
        with open(self.path, "r+b") as file:
            if self.cut:
                file.truncate(len(self.data))
            for start, end in self.dirty:
                file.seek(start)
                file.write(self.data[start:end])
        self.dirty, self.cut = [], False


class LosableDisk(Operations):
    def __init__(self, behind: str):
        self.behind = os.path.abspath(behind)
        self.files: dict[str, File] = {}
        self.mutex = threading.RLock()
        self.full = False
        signal.signal(signal.SIGUSR1, lambda *_: setattr(self, "full", True))
        signal.signal(signal.SIGUSR2, lambda *_: setattr(self, "full", False))

    def check_room(self) -> None:
        if self.full:
            raise FuseOSError(errno.ENOSPC)
        self.meet_faults("write")

    def meet_faults(self, operation: str) -> None:
        """Fails or hangs as the file of faults says."""
        while "hang" in (faults := self.faults()):
            time.sleep(0.02)
        if operation in faults:
            raise FuseOSError(getattr(errno, faults[operation]))

    def faults(self) -> dict[str, str]:
        try:
            with open(self.behind + ".faults") as file:
                return {line.split()[0]: line.split()[-1] for line in file if line.strip()}
        except FileNotFoundError:
            return {}

    def real(self, path: str) -> str:
        return self.behind + path

    def file(self, path: str) -> File:
        if path not in self.files:
            self.files[path] = File(self.real(path))
        return self.files[path]

    def getattr(self, path, fh=None):
        try:
            stat = os.lstat(self.real(path))
        except OSError as problem:
            raise FuseOSError(problem.errno) from None
        found = {
            key: getattr(stat, key)
            for key in (
                "st_mode",
                "st_nlink",
                "st_uid",
                "st_gid",
                "st_size",
                "st_atime",
                "st_mtime",
                "st_ctime",
                "st_ino",
            )
        }
        with self.mutex:
            if path in self.files:
                found["st_size"] = len(self.files[path].data)
        return found

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.real(path))]

    def mkdir(self, path, mode):
        self.check_room()
        os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        self.meet_faults("write")
        os.rmdir(self.real(path))

    def chmod(self, path, mode):
        self.meet_faults("chmod")
        os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        os.chown(self.real(path), uid, gid)

    def utimens(self, path, times=None):
        os.utime(self.real(path), times)

    def statfs(self, path):
        stat = os.statvfs(self.behind)
        return {
            key: getattr(stat, key)
            for key in (
                "f_bavail",
                "f_bfree",
                "f_blocks",
                "f_bsize",
                "f_favail",
                "f_ffree",
                "f_files",
                "f_flag",
                "f_frsize",
                "f_namemax",
            )
        }

    def open(self, path, flags):
        self.meet_faults("open")
        with self.mutex:
            if not os.path.exists(self.real(path)):
                raise FuseOSError(errno.ENOENT)
            self.file(path)
        return 0

    def create(self, path, mode, fi=None):
        self.check_room()
        os.close(os.open(self.real(path), os.O_CREAT | os.O_WRONLY, mode))
        return self.open(path, 0)

    def read(self, path, size, offset, fh):
        self.meet_faults("read")
        with self.mutex:
            return bytes(self.file(path).data[offset:offset + size])

    def write(self, path, data, offset, fh):
        self.check_room()
        with self.mutex:
            file = self.file(path)
            if offset > len(file.data):
                file.data.extend(bytes(offset - len(file.data)))
            file.data[offset:offset + len(data)] = data
            file.dirty.append((offset, offset + len(data)))
        return len(data)

    def truncate(self, path, length, fh=None):
        self.meet_faults("truncate")
        with self.mutex:
            file = self.file(path)
            del file.data[length:]
            file.data.extend(bytes(length - len(file.data)))
            file.dirty = [(start, min(end, length)) for start, end in file.dirty if start < length]
            file.cut = True

    def fsync(self, path, datasync, fh):
        self.meet_faults("fsync")
        with self.mutex:
            if "flush" in self.faults():
                self.file(path).dirty, self.file(path).cut = [], False
            self.meet_faults("flush")
            self.file(path).sync()

    def fsyncdir(self, path, datasync, fh):
        return 0

    def rename(self, old, new):
        self.meet_faults("write")
        with self.mutex:
            os.rename(self.real(old), self.real(new))
            self.files.pop(new, None)
            if old in self.files:
                self.files[new] = self.files.pop(old)
                self.files[new].path = self.real(new)

    def unlink(self, path):
        self.meet_faults("write")
        with self.mutex:
            os.unlink(self.real(path))
            self.files.pop(path, None)

    def flush(self, path, fh):
        return 0

    def release(self, path, fh):
        return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("behind")
    parser.add_argument("mountpoint")
    chosen = parser.parse_args()
    FUSE(
        LosableDisk(chosen.behind),
        chosen.mountpoint,
        foreground=True,
        nothreads=True,
        attr_timeout=0,
        entry_timeout=0,
        default_permissions=True,
    )
