#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the column "now" of a table in docs/performance.md with Benchmarks/counts.json.

    scripts/counts.py            fails if a figure of the table differs from the recorded one
    scripts/counts.py --write    writes the recorded figures into the table
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/performance.md"
HEAD = "| row | before | with | now |"


def names(cell):
    """The rows of a cell: `gated: open`; `closed` are two rows of the section gated."""
    found, section = [], ""
    for name in re.findall(r"`([^`]+)`", cell):
        if ": " in name:
            section = name.split(": ")[0]
        else:
            name = f"{section}: {name}"
        found.append(name)
    return found


def rewritten(line, counts):
    """The row of the table with the recorded figures."""
    cells = line.split(" | ")
    figures = [f"{round(counts[name]['instructions']):,}" for name in names(cells[0])]
    end = re.search(r":.*", cells[3])
    cells[3] = "; ".join(figures) + (end.group() if end else "")
    return " | ".join(cells)


def main():
    counts = json.loads((ROOT / "Benchmarks/counts.json").read_text())["rows"]
    lines = PAGE.read_text().split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(HEAD)]
    if len(starts) != 1:
        sys.exit(f"counts: {PAGE} has {len(starts)} tables '{HEAD}', not one")
    wrong = 0
    row = starts[0] + 2
    while lines[row].startswith("|"):
        try:
            line = rewritten(lines[row], counts)
        except KeyError as name:
            sys.exit(f"counts: docs/performance.md:{row + 1}: counts.json has no row {name}")
        if line != lines[row]:
            wrong += 1
            if "--write" not in sys.argv:
                print(f"counts: docs/performance.md:{row + 1}: recorded is {line.split(' | ')[3]}: {lines[row]}")
            lines[row] = line
        row += 1
    if "--write" in sys.argv:
        PAGE.write_text("\n".join(lines))
    elif wrong:
        sys.exit("counts: run 'scripts/counts.py --write'")


main()
