"""What Earshot is built from is recorded, and can be listed for an auditor."""

import json
import subprocess

from support.server import ROOT

COMMAND = [str(ROOT / ".venv/bin/python"), str(ROOT / "packaging/dependencies.py")]


def test_the_build_has_the_recorded_versions():
    told = subprocess.run([*COMMAND, "check"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def test_another_version_is_named_with_a_way_out(tmp_path):
    """The check of a copy of the record in which one version is another."""
    record = ROOT / "packaging/dependencies.json"
    changed = json.loads(record.read_text())
    changed["swift-nio"]["version"] = "0.0.1"
    copy = tmp_path / "dependencies.json"
    copy.write_text(json.dumps(changed))
    program = (
        "import sys, pathlib, dependencies; dependencies.RECORD = pathlib.Path(sys.argv.pop()); dependencies.main()"
    )
    told = subprocess.run(
        [COMMAND[0], "-c", program, "check", copy], capture_output=True, text=True, cwd=ROOT / "packaging"
    )
    assert told.returncode == 1
    assert "swift-nio: recorded 0.0.1" in told.stdout and "bin/dependencies record" in told.stdout


def test_the_bill_of_materials_lists_each_package_with_its_version(tmp_path):
    target = tmp_path / "earshot.cdx.json"
    told = subprocess.run([*COMMAND, "sbom", target], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
    bom = json.loads(target.read_text())
    parts = {part["name"]: part for part in bom["components"]}
    recorded = json.loads((ROOT / "packaging/dependencies.json").read_text())
    assert bom["specVersion"] == "1.6" and bom["metadata"]["component"]["name"] == "earshot"
    assert {name: parts[name]["version"] for name in recorded} == {
        name: state["version"] for name, state in recorded.items()
    }
    assert {"libsqlite3-0", "libseccomp2"} < set(parts) and any(name.startswith("libavcodec") for name in parts)
    unlicensed = [name for name in recorded if not parts[name].get("licenses")]
    assert unlicensed == [], "each Swift package names a known licence"
