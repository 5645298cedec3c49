#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Lists what the products link, as CycloneDX JSON: the Swift packages that Package.resolved names, and the shared libraries that
# Package.swift links, with the versions of this machine.
#
#   scripts/sbom.py            writes docs/sbom.json
#   scripts/sbom.py --check    fails if docs/sbom.json names other components; versions may differ
import json
import re
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
target = root / "docs" / "sbom.json"

# The module of pkg-config and the license of each linked library. Those that come with glibc have no module.
LIBRARIES = {
    "urcu-bp": ("liburcu-bp", "LGPL-2.1-or-later", "the C core"),
    "urcu-common": ("liburcu-bp", "LGPL-2.1-or-later", "the C core"),
    "z": ("zlib", "Zlib", "the tool 'millrace'"),
    "zstd": ("libzstd", "BSD-3-Clause", "the tool 'millrace'"),
    "dl": (None, "LGPL-2.1-or-later", "MillraceTesting"),
}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def packages():
    pins = json.loads((root / "Package.resolved").read_text())["pins"]
    for pin in pins:
        version = pin["state"].get("version", pin["state"]["revision"])
        place = re.sub(r"^https://|\.git$", "", pin["location"])
        yield {
            "type": "library",
            "name": pin["identity"],
            "version": version,
            "purl": f"pkg:swift/{place}@{version}",
        }


def libraries():
    linked = sorted(set(re.findall(r'\.linkedLibrary\("([^"]+)"', (root / "Package.swift").read_text())))
    for name in linked:
        if name not in LIBRARIES:
            sys.exit(f"sbom: Package.swift links '{name}', which scripts/sbom.py does not know: add it to LIBRARIES")
        module, license, used = LIBRARIES[name]
        version = run("pkg-config", "--modversion", module) if module else run("getconf", "GNU_LIBC_VERSION").split()[1]
        yield {
            "type": "library",
            "name": f"lib{name}",
            "version": version,
            "description": f"a shared library, linked by {used}",
            "licenses": [{"license": {"id": license}}],
        }


components = sorted([*packages(), *libraries()], key=lambda component: component["name"])
if sys.argv[1:] == ["--check"]:
    noted = {component["name"] for component in json.loads(target.read_text())["components"]}
    actual = {component["name"] for component in components}
    if noted != actual:
        print(f"sbom: docs/sbom.json lacks {sorted(actual - noted)} and has {sorted(noted - actual)} too many: run scripts/sbom.py")
        sys.exit(1)
elif sys.argv[1:]:
    sys.exit("usage: scripts/sbom.py [--check]")
else:
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "name": "millrace",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
    }
    target.write_text(json.dumps(bill, indent=2) + "\n")
    print(f"sbom: {len(components)} components in {target.relative_to(root)}")
