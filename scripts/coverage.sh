#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs all tests with counters in the code, and prints how many lines of each target they have run.
#
#   scripts/coverage.sh                 all tests, and a table of the targets
#   scripts/coverage.sh --report        only the table and the check of the reasons, of the last run
#   scripts/coverage.sh --lines         each line that no test has run, of the last run: FILE: FUNCTION | LINE: TEXT
#
# Fails if a test fails, if the tests run less than 90 % of the lines of a target, or if scripts/unrun.reasons gives no reason
# for a function with a line that no test has run. A line counts as run if a test has run it, or a program that a test has started
# and not killed. Lines of the C headers count where C code calls their functions: Swift's copies have no counters.
# .build-coverage/coverage.lcov has each line, for editors.
set -euo pipefail
cd "$(dirname "$0")/.."
# As in the Makefile: more tests at once than this only wait for each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}

least=90
targets=(CSources Sources/Millrace Sources/MillraceCore Sources/MillraceEffects Sources/MillraceJournal)
build=.build-coverage
lines=$build/coverage.lcov
tools=$(dirname "$(readlink -f "$(command -v swift)")")

# report : the table; 1 if a target is below the limit.
report() {
    awk -v here="$PWD/" -v least="$least" -v names="${targets[*]}" '
        function share(part, of) { return of ? int(1000 * part / of) / 10 : 0 }
        BEGIN { count = split(names, target, " ") }
        /^SF:/ {
            file = substr($0, 4)
            isOurs = index(file, here) == 1
            file = substr(file, length(here) + 1)
        }
        /^DA:/ && isOurs {
            split(substr($0, 4), field, ",")
            if (!((file, field[1]) in hits)) all[file]++
            if (field[2] > 0 && !hits[file, field[1]]) run[file]++
            hits[file, field[1]] += field[2] > 0
        }
        END {
            printf "%-24s %8s %8s %7s\n", "target", "lines", "run", "%"
            for (i = 1; i <= count; i++) {
                of = part = 0
                for (file in all) if (index(file, target[i] "/") == 1) { of += all[file]; part += run[file] }
                printf "%-24s %8d %8d %7.1f\n", target[i], of, part, share(part, of)
                if (share(part, of) < least) low = low " " target[i]
            }
            printf "\nfiles below %d %%, and their lines that no test has run\n", least
            sort = "sort"
            for (i = 1; i <= count; i++)
                for (file in all)
                    if (index(file, target[i] "/") == 1 && share(run[file], all[file]) < least)
                        printf "%-72s %5d of %5d\n", file, all[file] - run[file], all[file] | sort
            close(sort)
            if (low) { printf "\ncoverage: less than %d %% of the lines in:%s\n", least, low; exit 1 }
        }' "$lines"
}

if [[ ${1:-} == --lines ]]; then
    [[ -e $lines ]] || { echo "coverage: no run yet: scripts/coverage.sh" >&2; exit 1; }
    exec scripts/unrun.py "$lines" "${targets[@]}"
fi
failed=0
if [[ ${1:-} != --report ]]; then
    # The tests run without fixed hashes, as those of 'make test'; only the order of the traits needs them. SwiftPM's option is
    # for Swift alone: clang takes the second variable for the C core, and adds what follows each '+'.
    SWIFT_DETERMINISTIC_HASHING=1 CCC_OVERRIDE_OPTIONS='# +-fprofile-instr-generate +-fcoverage-mapping' \
        swift build --build-tests --enable-code-coverage --scratch-path "$build"
    rm -rf "$build/debug/codecov"
    swift test --skip-build --disable-xctest --enable-code-coverage --scratch-path "$build" || failed=1

    # If a test kills a program, or limits the size of its files, the program's file of counters is incomplete, and is left out.
    "$tools/llvm-profdata" merge -sparse --failure-mode=all "$build"/debug/codecov/*.profraw -o "$build/coverage.profdata" \
        2> >(sed 's/^warning: .*codecov/coverage: left out/' >&2)
    # All programs, because generic code of the library is compiled into each of them.
    programs=()
    for file in "$build"/debug/*; do
        if [[ -f $file && -x $file && $file != *.so ]]; then programs+=(-object "$file"); fi
    done
    "$tools/llvm-cov" export -format=lcov -instr-profile "$build/coverage.profdata" "${programs[@]:1}" >"$lines.new"
    mv "$lines.new" "$lines"
fi
if ((failed > 0)); then echo "coverage: a test has failed, see above" >&2; fi
report || failed=1
scripts/unrun.py "$lines" --check "${targets[@]}" || failed=1
exit "$failed"
