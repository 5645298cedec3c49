#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a model of Tests/Models stands for a file or a function that the code does not have.

The head of a model names them after "Stands for:": `File.swift (function, function)`, `file.c (function)`,
`Type.function`. If one was renamed or removed, the model may be older than the code: read both again.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "Sources", ROOT / "CSources"]
FILES = [path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".swift", ".h", ".c")]
TEXTS = {path: path.read_text() for path in FILES}


def has(paths, name):
    """Whether one of the files declares the name. A comment or a call is not enough."""
    name = re.escape(name)
    swift = rf"^[^/\n]*\b(?:func|var|let|case|class|struct|enum)\s+{name}\b"
    c = rf"^(?:[A-Za-z#][^/\n]*\b{name}\b)"
    return any(re.search(swift if path.suffix == ".swift" else c, TEXTS[path], re.M) for path in paths)


def missing(head):
    """The names in the head of a model that the code does not have."""
    for file, functions in re.findall(r"([\w+]+\.(?:swift|h|c))\b(?:\s*\(([^)]*)\))?", head):
        paths = [path for path in FILES if path.name == file]
        if not paths:
            yield file
        for name in filter(None, (part.strip() for part in functions.split(","))):
            if paths and not has(paths, name):
                yield f"{file} ({name})"
    for owner, name in re.findall(r"\b([A-Z]\w+)\.(\w+)\b", head):
        paths = [path for path in FILES if path.stem.split("+")[0] == owner]
        if name not in ("swift", "h", "c") and not has(paths, name):
            yield f"{owner}.{name}"


def main():
    wrong = 0
    models = sorted((ROOT / "Tests/Models").glob("*.pml"))
    for model in models:
        head = re.search(r"Stands for:(.*?)\n \* Processes", model.read_text(), re.S)
        if not head:
            sys.exit(f"model-names: {model.name} does not say what it stands for")
        for name in missing(head[1].replace("\n *", " ")):
            print(f"model-names: {model.name} stands for {name}, which is not in the code", file=sys.stderr)
            wrong += 1
    if wrong:
        sys.exit(1)
    print(f"model-names: what {len(models)} models stand for is in the code")


main()
