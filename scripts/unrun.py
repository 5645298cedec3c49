#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lines that no test has run, by function, and the reason for each function. scripts/coverage.sh calls it.

    scripts/unrun.py LCOV FOLDER...           each line: FILE: FUNCTION | LINE: TEXT
    scripts/unrun.py LCOV --check FOLDER...   compares them with scripts/unrun.reasons

--check fails if a function with such a line has no reason there. It also names the reasons that are no longer needed. That is
not a failure: some lines run only in some runs. The list names functions, not lines, so an edit elsewhere in a file leaves it
valid; a new line in a function of the list is not reported.
"""
import collections
import os
import re
import sys

REASONS = "scripts/unrun.reasons"
SWIFT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+|(?:open|public|package|internal|private|fileprivate|static|class|final|mutating|"
                   r"nonmutating|override|convenience|indirect|consuming|borrowing|nonisolated(?:\(unsafe\))?|lazy|weak)\s+)*"
                   r"(func\s+(?:\w+|[^\w\s(]+)|init\b|deinit\b|subscript\b|var\s+\w+|let\s+\w+)")
C = re.compile(r"^[a-z].*?\b(\w+)\(")


def indent_of(line):
    return len(line) - len(line.lstrip())


def closes(line):
    """Whether the line ends something that began at its own indentation, such as a signature of several lines."""
    return line.lstrip().startswith((")", "}", ">", "{", "where", "]", "else"))


def function_of(lines, number):
    """The name of the declaration that has the line: the nearest one before it that is indented less, or is the line itself."""
    limit = indent_of(lines[number - 1]) + 1
    for index in range(number - 1, -1, -1):
        line = lines[index]
        if not line.strip() or indent_of(line) >= limit:
            continue
        found = SWIFT.match(line)
        # A constant inside of a function is no declaration of its own.
        if found and (not found.group(1).startswith(("let", "var")) or not is_local(lines, index)):
            return re.sub(r"\s+", " ", found.group(1))
        limit = indent_of(line) + (1 if closes(line) else 0)
    return "?"


def is_local(lines, index):
    limit = indent_of(lines[index])
    for line in reversed(lines[:index]):
        if line.strip() and indent_of(line) < limit:
            return not re.search(r"\b(struct|class|enum|extension|actor|protocol|#if|#else)\b|^#", line)
    return False


def c_function_of(lines, number):
    for index in range(number - 1, -1, -1):
        found = C.match(lines[index])
        if found and not lines[index].startswith(("return", "typedef", "struct", "enum")):
            return found.group(1)
    return "?"


def unrun(lcov, folders):
    """(file, line) of each line that no test has run."""
    here, hits, file = os.getcwd() + "/", {}, None
    with open(lcov) as report:
        for line in report:
            if line.startswith("SF:"):
                path = line[3:].strip()
                file = path[len(here):] if path.startswith(here) else None
            elif line.startswith("DA:") and file and file.startswith(tuple(folder + "/" for folder in folders)):
                number, count = line[3:].split(",")[:2]
                hits[file, int(number)] = hits.get((file, int(number)), 0) + int(count)
    return sorted(key for key, count in hits.items() if count == 0)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    lcov, folders = arguments[0], arguments[1:]
    functions, texts = collections.defaultdict(list), {}
    for file, number in unrun(lcov, folders):
        if file not in texts:
            with open(file) as source:
                texts[file] = source.read().split("\n")
        find = c_function_of if file.endswith((".c", ".h")) else function_of
        functions[f"{file}: {find(texts[file], number)}"].append(number)
    if "--check" not in sys.argv:
        for key, numbers in functions.items():
            for number in numbers:
                print(f"{key} | {number}: {texts[key.split(':')[0]][number - 1].strip()}")
        return
    with open(REASONS) as file:
        listed = {line.split(" | ")[0] for line in file if " | " in line and not line.startswith("#")}
    missing = [key for key in functions if key not in listed]
    stale = [key for key in listed if key not in functions]
    for key in missing:
        print(f"no reason in {REASONS}: {key}, lines {', '.join(map(str, functions[key]))}")
    for key in sorted(stale):
        print(f"{REASONS} has a reason for {key}, but this run ran all its lines")
    print(f"unrun: {sum(map(len, functions.values()))} lines in {len(functions)} functions; "
          f"{len(missing)} without a reason, {len(stale)} reasons without a line")
    sys.exit(1 if missing else 0)


main()
