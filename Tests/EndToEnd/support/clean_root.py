"""A fresh Debian with nothing but a package's dependencies, in which a package is installed and its service runs."""

import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

from support.server import ROOT
from support.voice import speech

SUITE = "bookworm"


def build_package(folder: Path, binaries: Path, *options: str) -> Path:
    """Runs bin/package over programs that are built already; the package's path."""
    command = [str(ROOT / "bin/package"), "--binaries", str(binaries), "--compression", "none", "--output", str(folder)]
    speech.run(*command, *options)
    return next(folder.glob("*.deb"))


def repacked(package: Path, folder: Path, version: str, changes: dict[str, str]) -> Path:
    """The same package as another version, with lines added to files (by their path in the package). Its programs are
    other files than the package's: they name the version in a section of their own. Their code is the same."""
    tree = folder / "tree"
    speech.run("dpkg-deb", "-R", str(package), str(tree))
    note = folder / "version"
    note.write_text(version)
    for program in ("earshot", "EarshotMediaWorker"):
        path = tree / "usr/lib/earshot" / program
        speech.run("objcopy", "--add-section", f".earshot.version={note}", str(path))
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.M))
    for name, line in changes.items():
        with (tree / name).open("a") as file:
            file.write(line + "\n")
    target = folder / f"earshot_{version}.deb"
    speech.run("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(target))
    return target


class CleanRoot:
    """A Debian in a folder. Commands run in it with processes, devices and temporary files of their own, and with this
    machine's network."""

    def __init__(self, folder: Path, package: Path | None = None):
        """Installs the base system, and the packages that `package` depends on, but not the package itself."""
        for tool in ("mmdebstrap", "bwrap", "setpriv"):
            speech.need(tool)
        self.path = folder / "root"
        command = ["mmdebstrap", "--quiet", "--variant=minbase", SUITE, str(self.path)]
        if package:
            depends = speech.run("dpkg-deb", "-f", str(package), "Depends").decode()
            command += ["--include", ",".join(re.split(r"[ (|]", entry.strip())[0] for entry in depends.split(","))]
        speech.run(*command)
        # The installer of Debian writes it; mmdebstrap does not.
        (self.path / "etc/hosts").write_text("127.0.0.1 localhost\n")

    def command(self, *words: str, user: str | None = None, has_own_network: bool = False) -> list[str]:
        """The command as this machine has to start it, by root or by another user of the root. `has_own_network`: with
        nothing but a loopback interface of its own, as in a container."""
        enter = ["bwrap", "--bind", str(self.path), "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run"]
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"] if user else []
        apart = ["--unshare-net"] if has_own_network else []
        return [*enter, *apart, "--unshare-pid", "--die-with-parent", "--chdir", "/", "--", *become, *words]

    def run(self, *words: str, user: str | None = None, input: str | None = None) -> subprocess.CompletedProcess:
        path = "/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"PATH": path, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            self.command(*words, user=user), env=environment, input=input, capture_output=True, text=True, timeout=300
        )

    def must(self, *words: str, user: str | None = None, input: str | None = None) -> str:
        """Runs it; what it printed. It has to succeed."""
        done = self.run(*words, user=user, input=input)
        assert done.returncode == 0, f"{shlex.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def install(self, package: Path) -> str:
        """dpkg --install, which fails where a dependency is missing. A changed configuration file stays."""
        inside = self.path / "root" / package.name
        inside.write_bytes(package.read_bytes())
        told = self.must("dpkg", "--force-confold", "--install", f"/root/{package.name}")
        inside.unlink()
        return told

    def unit(self, name: str) -> dict[str, str]:
        """The settings of an installed unit; of a repeated one the last."""
        text = (self.path / f"lib/systemd/system/{name}").read_text()
        return dict(re.findall(r"^(\w+)=(.*)$", text, re.M))


class Service:
    """What systemd would start: the unit's ExecStart, by the unit's user."""

    def __init__(self, root: CleanRoot, unit: str, log: Path):
        settings = root.unit(unit)
        self.log_path = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                root.command(*shlex.split(settings["ExecStart"]), user=settings["User"]),
                env={"PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    def child(self) -> int:
        """The process of the server itself, which bwrap's own processes surround."""
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.getpgid(int(entry.name)) == self.process.pid:
                    if (entry / "comm").read_text().strip() == "earshot":
                        return int(entry.name)
            except (FileNotFoundError, ProcessLookupError):
                continue
        raise AssertionError(f"the server does not run:\n{self.log()}")

    def stop(self) -> None:
        """SIGTERM to the server, as systemd sends it; it has to end well."""
        if self.process.poll() is None:
            os.kill(self.child(), signal.SIGTERM)
        assert self.process.wait(30) == 0, self.log()
