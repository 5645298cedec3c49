#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Mutations: the tests have to find small mistakes in the library. Tests/Mutants/*.mutants lists them, by area.
#
#   scripts/mutate.py              builds a copy with all mistakes behind a switch, and runs the tests with one after the other
#   scripts/mutate.py --status     what was found so far, without a run
#   scripts/mutate.py --check      whether each mistake still fits its file; no build
#   scripts/mutate.py WORDS...     only those mutants whose name or file has one of the words, again
#
# A second call goes on where the first one ended: a result counts as long as its mutant, the library and the test targets
# that it runs stay the same. A mutant that the tests did not catch is run again. Everything is in .build-mutate.
#
# The form of a table:
#   # a comment
#   file: Sources/…/Admission.swift        for all mutants that follow
#   tests: MillraceTests\.RoomTests        a regular expression: the tests that have to fail, which take seconds
#   mutant: what is broken, in plain English
#   - text of the file, which is there once; the first of several lines may lack its indentation
#   + what replaces it; $M is true while the mutant is on
#   ? why the tests cannot catch it        only for a mutant that survives
import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root = Path(__file__).resolve().parent.parent
work = root / ".build-mutate"
copy = work / "source"
# A mutant whose tests do not end is caught: they get so many times the time that they need without a mutant.
MANY_TIMES, SHORTEST_LIMIT, LONGEST_LIMIT = 6, 30, 180  # the others are seconds
CONTROL_LIMIT = 60  # seconds: on a busy machine
PART_CAUGHT = 0.95
AT_A_TIME = 2

SWITCH = """#ifndef CMUTANTS_H
#define CMUTANTS_H
#include <stdbool.h>
extern int millrace_mutant_on;
static inline bool millrace_mutant(int number) { return __builtin_expect(millrace_mutant_on == number, 0); }
#endif
"""
SETTING = """#include "CMutants.h"
#include <stdlib.h>
int millrace_mutant_on;
__attribute__((constructor)) static void read_switch(void) {
    const char *number = getenv("MILLRACE_MUTANT");
    if (number) millrace_mutant_on = atoi(number);
}
"""
MANIFEST = """
package.targets.append(.target(name: "CMutants", path: "CSources/CMutants", publicHeadersPath: "include"))
for target in package.targets where target.type != .system && target.name != "CMutants" {
    target.dependencies.append("CMutants")
}
"""


class Mutant:
    def __init__(self, area, name, file, tests):
        self.area, self.name, self.file, self.tests = area, name, file, tests
        self.old, self.new, self.reason = [], [], []

    @property
    def text(self):
        return "\n".join(self.old)

    @property
    def number(self):
        """What the switch is set to: it stays the same when others are added, so that their files are not compiled again."""
        return zlib.crc32(f"{self.file} {self.name}".encode()) >> 1


def read_tables():
    mutants = []
    for table in sorted((root / "Tests/Mutants").glob("*.mutants")):
        file = tests = None
        for number, line in enumerate(table.read_text().splitlines(), 1):
            mark, _, rest = line.partition(" ")
            if mark == "mutant:":
                mutants.append(Mutant(table.stem, rest, file, tests))
            elif mark == "file:":
                file = rest
            elif mark == "tests:":
                tests = rest
            elif mark in ("-", "+", "?") and mutants:
                {"-": mutants[-1].old, "+": mutants[-1].new, "?": mutants[-1].reason}[mark].append(rest)
            elif line and mark != "#":
                sys.exit(f"mutate: {table.name}:{number}: not a line of a table: '{line}'")
    return mutants


def problems(mutants):
    """What is wrong with the tables: a mutant that does not fit its file any more, tests that are not there."""
    names, places = set(), {}
    for mutant in mutants:
        where = f"{mutant.area}: '{mutant.name}'"
        if mutant.name in names:
            yield f"{where}: the name is there twice"
        names.add(mutant.name)
        if "$M" not in "\n".join(mutant.new):
            yield f"{where}: its replacement has no $M"
        path = root / mutant.file
        count = path.read_text().count(mutant.text) if path.is_file() else 0
        if count != 1 or not mutant.text:
            yield f"{where}: its text is {count} times in {mutant.file}"
            continue
        start = path.read_text().index(mutant.text)
        for other, (first, last) in places.setdefault(mutant.file, {}).items():
            if start < last and first < start + len(mutant.text):
                yield f"{where}: changes the same text as '{other}'"
        places[mutant.file][mutant.name] = (start, start + len(mutant.text))
        targets = targets_of(mutant.tests)
        sources = "".join(path.read_text() for target in targets for path in (root / "Tests" / target).rglob("*.swift"))
        if not targets or not sources:
            yield f"{where}: its tests are in no target: '{mutant.tests}'"
        for test in set(re.findall(r"\w+", mutant.tests)) - set(targets):
            if not re.search(rf"(struct|class|enum|actor|extension|func) {test}\b", sources):
                yield f"{where}: there is no test '{test}'"


def targets_of(tests):
    return sorted(set(re.findall(r"\w+Tests(?=\\\.)", tests)))


def patched(text, mutants):
    """The text of a file with its mutants, from the last one to the first: so all places are those of the file itself."""
    for mutant in sorted(mutants, key=lambda mutant: text.index(mutant.text), reverse=True):
        start = text.index(mutant.text)
        new = "\n".join(mutant.new).replace("$M", f"millrace_mutant({mutant.number})")
        text = text[:start] + new + text[start + len(mutant.text) :]
    return text


def write_copy(mutants):
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    wanted = {name: (root / name).read_bytes() for name in files.stdout.splitlines() if (root / name).is_file()}
    if (root / "Package.resolved").exists():
        wanted["Package.resolved"] = (root / "Package.resolved").read_bytes()
    for name in {mutant.file for mutant in mutants}:
        text = patched(wanted[name].decode(), [mutant for mutant in mutants if mutant.file == name])
        if name.endswith(".swift"):
            wanted[name] = ("public import CMutants\n" + text).encode()
        else:
            wanted[name] = ('#include "CMutants.h"\n' + text).encode()
    wanted["CSources/CMutants/include/CMutants.h"] = SWITCH.encode()
    wanted["CSources/CMutants/CMutants.c"] = SETTING.encode()
    wanted["Package.swift"] += MANIFEST.encode()
    for path in copy.rglob("*"):
        if path.is_file() and str(path.relative_to(copy)) not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:  # an unchanged file is not compiled again
            path.write_bytes(content)
            path.chmod((root / name).stat().st_mode if (root / name).exists() else 0o644)


def digest(*paths, text=""):
    hash = hashlib.sha1(text.encode())
    for folder in paths:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file():
                hash.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return hash.hexdigest()[:16]


def result_file(library, *more):
    """Where a result is kept: it belongs to the library and to what else decides about it."""
    return work / "results" / digest(text="\n".join([library, *more]))


def run_tests(tests, number, limit):
    """Runs tests with a mutant on, until one fails. Returns which (None: none), and the number of tests that were run."""
    program = next(work.glob("build/debug/*.xctest"))
    environment = {**os.environ, "MILLRACE_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"}
    child = subprocess.Popen(
        [str(program), "--testing-library", "swift-testing", "--filter", tests],
        cwd=copy, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip

    def end():
        try:
            os.killpg(child.pid, signal.SIGKILL)  # also the programs that the tests have begun
        except ProcessLookupError:
            pass

    is_late = threading.Event()
    timer = threading.Timer(limit, lambda: (is_late.set(), end()))
    timer.start()
    failed, count = None, 0
    for line in child.stdout:
        line = re.sub(r"\x1b\[[0-9;]*m", "", line.decode(errors="replace"))
        if found := re.search(r"Test (\".*?\"|\S+) (?:with .* )?recorded an issue", line):
            failed = found.group(1)
            break
        if found := re.search(r"Test run with (\d+) test", line):
            count = int(found.group(1))
    if not failed:
        status = child.wait()
        if is_late.is_set():
            failed = f"no end within {limit:.0f} s"
        elif status != 0 and count == 0:
            failed = f"crash ({-status if status < 0 else status})"
        elif status != 0:
            failed = "the tests failed"
    timer.cancel()
    end()
    child.wait()
    return failed, count


def control(mutants, results):
    """Runs the tests without a mutant: they have to pass, in seconds. Returns the time limit for each set of tests."""

    def seconds(tests):
        file = results[tests]
        if file.exists():
            return float(file.read_text())
        began = time.monotonic()
        failed, count = run_tests(tests, 0, CONTROL_LIMIT)
        if failed or count == 0:
            return f"mutate: without a mutant, '{tests}': {failed or 'no test'}"
        file.write_text(f"{time.monotonic() - began:.1f}")
        return float(file.read_text())

    times = {}
    sets = sorted({mutant.tests for mutant in mutants})
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for tests, took in zip(sets, pool.map(seconds, sets)):
            progress(f"without a mutant: {tests}")
            times[tests] = took
    if wrong := [took for took in times.values() if isinstance(took, str)]:
        progress("")
        sys.exit("\n".join(wrong))
    return {tests: min(max(MANY_TIMES * took, SHORTEST_LIMIT), LONGEST_LIMIT) for tests, took in times.items()}


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:120]}", end="", file=sys.stderr, flush=True)


def report(mutants, results):
    survivors = [mutant for mutant in mutants if results.get(mutant) == "survives"]
    for area in sorted({mutant.area for mutant in mutants}):
        own = [mutant for mutant in mutants if mutant.area == area]
        found = sum(results.get(mutant, "survives") != "survives" for mutant in own)
        print(f"{area:<16} {found:3} of {len(own):3} caught")
    for mutant in survivors:
        print(f"survives: {mutant.area}: {mutant.name}\n    {' '.join(mutant.reason) or 'NO REASON IN THE TABLE'}")
    missing = len(mutants) - len(results)
    caught = len(results) - len(survivors)
    print(f"mutate: {caught} of {len(mutants)} mutants caught, {len(survivors)} survive" + (f", {missing} to run" if missing else ""))
    is_good = not missing and caught >= PART_CAUGHT * len(mutants) and all(mutant.reason for mutant in survivors)
    return 0 if is_good else 1


def main(arguments):
    mutants = read_tables()
    wrong = list(problems(mutants))
    if wrong:
        sys.exit("\n".join(f"mutate: {line}" for line in wrong))
    if arguments == ["--check"]:
        print(f"mutate: {len(mutants)} mutants fit their files")
        return 0

    library = digest("Sources", "CSources")
    files = {m: result_file(library, m.tests, m.file, m.text, *m.new) for m in mutants}
    results = {mutant: file.read_text() for mutant, file in files.items() if file.exists()}
    if arguments == ["--status"]:
        return report(mutants, results)

    chosen = [m for m in mutants if any(word in m.name or word in m.file for word in arguments)] if arguments else mutants
    due = [m for m in chosen if arguments or results.get(m, "survives") == "survives"]
    write_copy(mutants)
    print(f"mutate: builds a copy with {len(mutants)} mutants", file=sys.stderr)
    command = ["swift", "build", "--build-tests", "--scratch-path", str(work / "build")]
    build = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit("\n".join(re.findall(r".*error:.*", build.stdout + build.stderr)) or build.stdout + build.stderr)
    (work / "results").mkdir(parents=True, exist_ok=True)
    limits = control(due, {mutant.tests: result_file(library, mutant.tests) for mutant in due})
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        outcomes = pool.map(lambda mutant: run_tests(mutant.tests, mutant.number, limits[mutant.tests])[0], due)
        for index, (mutant, failed) in enumerate(zip(due, outcomes), 1):
            results[mutant] = failed or "survives"
            files[mutant].write_text(results[mutant])
            progress(f"{index} of {len(due)}: {mutant.area}: {mutant.name}")
            if arguments or not failed:
                print(f"{mutant.area}: {mutant.name}: {results[mutant]}", flush=True)
    progress("")
    return report(mutants, results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
