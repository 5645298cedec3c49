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
# A second call goes on where the first one ended: a result counts as long as its mutant, the library and the files of its
# suites stay the same. A mutant that the tests did not catch is run again. Everything is in .build-mutate.
#
# A mutant is caught if a test fails or crashes. If its tests do not end, it is not: a test has to notice that something waits
# for ever. The exit status is 0 if at least 95 % of the mutants that change something are caught, and each of the others has
# its reason in the table.
#
# The form of a table:
#   # a comment
#   file: Sources/…/Admission.swift        for all mutants that follow
#   tests: MillraceTests\.RoomTests        a regular expression: the tests that have to fail, which take seconds
#   mutant: what is broken, in plain English
#   - text of the file, which is there once; the first of several lines may lack its indentation
#   + what replaces it; $M is true while the mutant is on
#   ? why the tests cannot catch it        only for a mutant that survives
#   = why it changes nothing               only for a mutant after which nothing can be observed that was not so before
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
# Tests get so many times the time that they need without a mutant.
MANY_TIMES, SHORTEST_LIMIT, LONGEST_LIMIT = 6, 40, 180  # the others are seconds
PATIENCE = 15  # seconds after which a test gives up a condition
CONTROL_LIMIT = 60  # seconds: on a busy machine
NO_END = "no end"
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
        self.old, self.new = [], []
        # Why it survives, or why it changes nothing.
        self.reason, self.same = [], []

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
            elif mark in ("-", "+", "?", "=") and mutants:
                last = mutants[-1]
                {"-": last.old, "+": last.new, "?": last.reason, "=": last.same}[mark].append(rest)
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


def is_found(result):
    """Whether a result means that the tests have caught the mutant."""
    return result != "survives" and not result.startswith(NO_END)


def suites_of(tests):
    """The files that declare the suites of a mutant."""
    words = "|".join(set(re.findall(r"\w+", tests)))
    files = [path for target in targets_of(tests) for path in (root / "Tests" / target).rglob("*.swift")]
    declares = re.compile(rf"\b(struct|extension|class|enum|actor) ({words})\b")
    return sorted(str(path.relative_to(root)) for path in files if declares.search(path.read_text()))


def digest(*paths, text=""):
    hash = hashlib.sha1(text.encode())
    for folder in paths:
        for path in sorted([root / folder, *(root / folder).rglob("*")]):
            if path.is_file():
                hash.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return hash.hexdigest()[:16]


def result_file(library, *more):
    """Where a result is kept: it belongs to the library and to what else decides about it."""
    return work / "results" / digest(text="\n".join([library, *more]))


def run_tests(tests, number, limit):
    """Runs tests with a mutant on, until one fails. Returns which (None: none), and the number of tests that were run."""
    program = next(work.glob("build/debug/*.xctest"))
    environment = {
        **os.environ, "MILLRACE_MUTANT": str(number), "MILLRACE_TEST_SECONDS": str(PATIENCE), "SWIFT_BACKTRACE": "enable=no",
    }  # fmt: skip
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
            failed = f"{NO_END} within {limit:.0f} s"
        elif status != 0 and count == 0:
            failed = f"crash ({-status if status < 0 else status})"
        elif status != 0:
            failed = "the tests failed"
    timer.cancel()
    end()
    child.wait()
    return failed, count


def control(mutants, results):
    """Runs the tests without a mutant: they have to pass, in seconds. Returns the time limit for each set of tests, none for
    those that do not pass."""

    def seconds(tests):
        file = results[tests]
        if file.exists():
            return float(file.read_text())
        for _ in range(2):  # a busy machine may have been too slow once
            began = time.monotonic()
            failed, count = run_tests(tests, 0, CONTROL_LIMIT)
            if not failed and count > 0:
                file.write_text(f"{time.monotonic() - began:.1f}")
                return float(file.read_text())
        print(f"mutate: without a mutant, '{tests}': {failed or 'no test'}", flush=True)
        return None

    limits = {}
    sets = sorted({mutant.tests for mutant in mutants})
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for tests, took in zip(sets, pool.map(seconds, sets)):
            progress(f"without a mutant: {tests}")
            if took is not None:
                limits[tests] = min(max(MANY_TIMES * took, SHORTEST_LIMIT), LONGEST_LIMIT)
    return limits


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:120]}", end="", file=sys.stderr, flush=True)


def report(mutants, results):
    caught = [mutant for mutant in mutants if is_found(results.get(mutant, "survives"))]
    same = [mutant for mutant in mutants if mutant.same]
    survivors = [mutant for mutant in mutants if mutant in results and mutant not in caught and mutant not in same]
    wrong = [mutant for mutant in same if mutant in caught]
    for area in sorted({mutant.area for mutant in mutants}):
        own = [mutant for mutant in mutants if mutant.area == area and mutant not in same]
        print(f"{area:<16} {sum(mutant in caught for mutant in own):3} of {len(own):3} caught")
    for mutant in same:
        print(f"changes nothing: {mutant.area}: {mutant.name}\n    {' '.join(mutant.same)}")
    for mutant in wrong:
        print(f"caught, although it is to change nothing: {mutant.area}: {mutant.name}: {results[mutant]}")
    for mutant in survivors:
        end = f" ({results[mutant]})" if results[mutant] != "survives" else ""
        print(f"survives{end}: {mutant.area}: {mutant.name}\n    {' '.join(mutant.reason) or 'NO REASON IN THE TABLE'}")
    missing = len(mutants) - len(results)
    effective = len(mutants) - len(same)
    found = len([mutant for mutant in caught if mutant not in same])
    print(
        f"mutate: {len(mutants)} mutants, {len(same)} change nothing; of the other {effective}, {found} are caught"
        f" ({100 * found / max(effective, 1):.1f} %), {len(survivors)} survive"
        + (f", {missing} to run" if missing else "")
    )
    is_good = not missing and not wrong and found >= PART_CAUGHT * effective and all(m.reason for m in survivors)
    return 0 if is_good else 1


def main(arguments):
    unknown = [word for word in arguments if word.startswith("-") and word not in ("--status", "--check")]
    if unknown:
        sys.exit(f"mutate: no option {unknown[0]}; there are --status and --check")
    mutants = read_tables()
    wrong = list(problems(mutants))
    if wrong:
        sys.exit("\n".join(f"mutate: {line}" for line in wrong))
    if arguments == ["--check"]:
        print(f"mutate: {len(mutants)} mutants fit their files")
        return 0

    library = digest("Sources", "CSources")
    suites = {tests: digest(*suites_of(tests)) for tests in {mutant.tests for mutant in mutants}}
    files = {m: result_file(library, m.tests, suites[m.tests], m.file, m.text, *m.new) for m in mutants}
    results = {mutant: file.read_text() for mutant, file in files.items() if file.exists()}
    if arguments == ["--status"]:
        return report(mutants, results)

    chosen = [m for m in mutants if any(word in m.name or word in m.file for word in arguments)] if arguments else mutants
    due = [m for m in chosen if arguments or not is_found(results.get(m, "survives"))]
    began = time.monotonic()
    write_copy(mutants)
    print(f"mutate: builds a copy with {len(mutants)} mutants", file=sys.stderr)
    command = ["swift", "build", "--build-tests", "--scratch-path", str(work / "build")]
    build = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    if build.returncode != 0:
        errors = dict.fromkeys(re.findall(r"^\S+: error:.*", build.stdout + build.stderr, re.M))
        sys.exit("\n".join(errors) or build.stdout + build.stderr)
    (work / "results").mkdir(parents=True, exist_ok=True)
    print(f"mutate: built in {time.monotonic() - began:.0f} s", file=sys.stderr)
    limits = control(due, {mutant.tests: result_file(library, mutant.tests, suites[mutant.tests]) for mutant in due})
    due = [mutant for mutant in due if mutant.tests in limits]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        outcomes = pool.map(lambda mutant: run_tests(mutant.tests, mutant.number, limits[mutant.tests])[0], due)
        for index, (mutant, failed) in enumerate(zip(due, outcomes), 1):
            results[mutant] = failed or "survives"
            files[mutant].write_text(results[mutant])
            progress(f"{index} of {len(due)}: {mutant.area}: {mutant.name}")
            if arguments or not is_found(results[mutant]):
                print(f"{mutant.area}: {mutant.name}: {results[mutant]}", flush=True)
    progress("")
    print(f"mutate: {len(due)} mutants were run, {time.monotonic() - began:.0f} s with the build", file=sys.stderr)
    return report(mutants, results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
