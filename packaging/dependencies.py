"""The versions that Earshot is built from: compared with the recorded ones, and listed as a bill of materials."""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "packaging/dependencies.json"
STATE = ROOT / ".build/workspace-state.json"
PROGRAMS = ("earshot", "EarshotMediaWorker")
LICENSES = {
    "Apache License": "Apache-2.0",
    "Permission is hereby granted, free of charge": "MIT",
    "Redistribution and use in source": "BSD-3-Clause",
}


def resolved() -> list[dict]:
    """The Swift packages that the last build resolved, as SwiftPM keeps them."""
    return json.loads(STATE.read_text())["object"]["dependencies"]


def versions() -> dict[str, dict[str, str]]:
    """Version and revision of each Swift package, by its identity."""
    state = {package["packageRef"]["identity"]: package["state"]["checkoutState"] for package in resolved()}
    return {name: {"version": state[name].get("version"), "revision": state[name]["revision"]} for name in sorted(state)}


def check() -> list[str]:
    """A line for each package that is not as recorded."""
    recorded, found = json.loads(RECORD.read_text()), versions()
    return [
        f"{name}: recorded {recorded.get(name, {}).get('version')}, built {found.get(name, {}).get('version')}"
        for name in sorted({*recorded, *found})
        if recorded.get(name) != found.get(name)
    ]


def license_of(package: dict) -> str | None:
    """The licence that a package's own file names, where it is one of the known ones."""
    for file in sorted((ROOT / ".build/checkouts" / package["subpath"]).iterdir()):
        if file.is_file() and file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
            text = file.read_text(errors="replace")
            return next((name for words, name in LICENSES.items() if words in text), None)
    return None


def swift_component(package: dict) -> Component:
    reference, state = package["packageRef"], package["state"]["checkoutState"]
    *owner, name = reference["location"].removesuffix(".git").split("//")[-1].split("/")
    license = license_of(package)
    return Component(
        name=reference["identity"],
        version=state.get("version") or state["revision"],
        type=ComponentType.LIBRARY,
        purl=PackageURL("swift", "/".join(owner), name, state.get("version")),
        licenses=[DisjunctiveLicense(id=license)] if license else [],
    )


def debian_packages(programs: list[Path]) -> list[str]:
    """The Debian packages whose libraries the programs load."""
    libraries = set()
    for program in programs:
        told = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r"=> (/\S+)", told):
            real = str(Path(library).resolve())
            # dpkg knows a library by the path that its package used, with or without /usr.
            libraries |= {real, real.removeprefix("/usr")}
    owners = subprocess.run(["dpkg", "-S", *sorted(libraries)], capture_output=True, text=True).stdout
    return sorted({line.split(":")[0] for line in owners.splitlines()})


def debian_component(package: str) -> Component:
    told = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", package], capture_output=True, text=True, check=True
    ).stdout
    version, architecture = told.splitlines()[0].split()
    purl = PackageURL("deb", "debian", package, version, {"arch": architecture})
    return Component(name=package, version=version, type=ComponentType.LIBRARY, purl=purl)


def product_version() -> str:
    source = (ROOT / "Sources/EarshotModel/EarshotVersion.swift").read_text()
    return re.search(r'current = "(.*)"', source).group(1)


def bill_of_materials(programs: list[Path]) -> str:
    """CycloneDX 1.6 as JSON, valid by the strict validator."""
    bom = Bom()
    product = Component(name="earshot", version=product_version(), type=ComponentType.APPLICATION)
    bom.metadata.component = product
    parts = [swift_component(package) for package in resolved()]
    parts += [debian_component(package) for package in debian_packages(programs)]
    for part in parts:
        bom.components.add(part)
    bom.register_dependency(product, parts)
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem:
        raise ValueError(f"the bill of materials is not valid: {problem}")
    return text


def built_programs() -> list[Path]:
    """The release programs, else the debug ones."""
    for folder in (ROOT / ".build/release", ROOT / ".build/debug"):
        if all((folder / name).exists() for name in PROGRAMS):
            return [folder / name for name in PROGRAMS]
    raise FileNotFoundError("earshot and EarshotMediaWorker are not built: run swift build")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["check", "record", "sbom"])
    parser.add_argument("file", nargs="?", type=Path)
    asked = parser.parse_args()
    if asked.what == "check":
        differences = check()
        if differences:
            print("The build resolved other versions than packaging/dependencies.json records:", *differences, sep="\n  ")
            print("Look at what changed in these packages. If you want them, run: bin/dependencies record")
            sys.exit(1)
    elif asked.what == "record":
        RECORD.write_text(json.dumps(versions(), indent=2) + "\n")
    elif asked.file is None:
        parser.error("sbom needs the file to write")
    else:
        asked.file.write_text(bill_of_materials(built_programs()))


if __name__ == "__main__":
    main()
