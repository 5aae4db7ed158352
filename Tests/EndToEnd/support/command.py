"""Runs the operator's commands: `earshot …`."""

import subprocess

from support.demo import Demo
from support.server import PATIENCE, build_folder, clean_environment


def earshot(*arguments: str, answer: str | None = None, **settings: str) -> subprocess.CompletedProcess:
    """`answer`: what stands on standard input; `settings`: the environment's EARSHOT_… variables."""
    return subprocess.run(
        [build_folder() / "earshot", *arguments],
        env=clean_environment(**settings),
        input=answer,
        stdin=subprocess.DEVNULL if answer is None else None,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def succeed(*arguments: str, answer: str | None = None, **settings: str) -> str:
    """The output of a command that has to succeed."""
    told = earshot(*arguments, answer=answer, **settings)
    assert told.returncode == 0, f"{arguments} ended with {told.returncode}:\n{told.stdout}{told.stderr}"
    return told.stdout


def add_app(server, demo: Demo, app: str, origin: str) -> Demo:
    """Adds an app whose pages have this origin."""
    succeed(
        "add", "app", app, "--brand", demo.account, "--name", app, "--origin", origin, "--data", str(server.data))
    return Demo(demo.account, app, demo.agent, demo.manager)


def fail(*arguments: str, answer: str | None = None, **settings: str) -> str:
    """What a command says that has to fail."""
    told = earshot(*arguments, answer=answer, **settings)
    assert told.returncode != 0, f"earshot {' '.join(arguments)} succeeded:\n{told.stdout}"
    return told.stdout + told.stderr
