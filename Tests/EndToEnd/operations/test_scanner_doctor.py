"""`earshot doctor` with a real clamd: what is wrong with the scanner, and how to fix it."""

import re
import subprocess

import pytest

from support.clamd import HARM_SIGNATURE, Clamd
from support.server import PATIENCE, build_folder, clean_environment

CASES = {
    "as it should be": ({}, "ok", "found our canary in every container, and at the end of 16 MB"),
    "without our signature": (
        {"signatures": [HARM_SIGNATURE]},
        "BAD",
        "does not find our canary in .*mp3.*\n.*earshot scanner-signature",
    ),
    "that looks into small files only": (
        {"MaxFileSize": "10M", "AlertExceedsMax": "no"},
        "BAD",
        "does not look into 16 MB.*\n.*MaxFileSize 25M",
    ),
}


def about_the_scanner(folder, clamd: str) -> str:
    settings = clean_environment(EARSHOT_CLAMD=clamd, EARSHOT_DATA=str(folder / "data"), EARSHOT_PORT="0")
    told = subprocess.run(
        [str(build_folder() / "earshot"), "doctor"], env=settings, capture_output=True, text=True, timeout=PATIENCE
    ).stdout
    return re.search(r"^\[\w+\] +scanner .*\n(?: +→.*)?", told, re.M).group()


@pytest.mark.parametrize("case", CASES)
def test_the_doctor_reports_a_working_scanner(tmp_path, case):
    options, health, text = CASES[case]
    clamd = Clamd(tmp_path / "clamd", **options).start()
    try:
        told = about_the_scanner(tmp_path, f"unix:{clamd.socket}")
    finally:
        clamd.stop()
    assert told.startswith(f"[{health}]") and re.search(text, told), told


def test_the_doctor_reports_a_scanner_that_hangs_or_is_missing(tmp_path):
    clamd = Clamd(tmp_path / "clamd").start()
    try:
        clamd.hold()
        assert "no answer" in about_the_scanner(tmp_path, f"unix:{clamd.socket}")
        clamd.go_on()
    finally:
        clamd.stop()
    told = about_the_scanner(tmp_path, f"unix:{clamd.socket}")
    assert told.startswith("[BAD]") and "no connection" in told and "Start clamd" in told, told
