#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the proofs that take too long for `.ci/run`, one after the other (docs/trust.md says what each of them shows), and
# prints a line for each.
#
#   scripts/trust.sh [step...]      (default: all steps, about two hours on two free cores)
#   scripts/trust.sh --build        only builds the tests that some steps run
#
# TRUST_SECONDS: the seconds of each plan of the step 'delays' (30).
#
# A failed step does not end the run. The output of each step is .build-trust/STEP.log; the table is appended to
# .build-trust/results, with the date and the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
# As in the Makefile: more tests at once than this only wait for each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}
if [[ ${1:-} == --build ]]; then
    # Without fixed hashes the order of the traits changes, and with it all is compiled again.
    SWIFT_DETERMINISTIC_HASHING=1 exec swift build --build-tests
fi
folder=.build-trust
mkdir -p $folder
failed=0 chosen=("$@") known=()

# step NAME LIMIT FIGURE COMMAND… : runs the command unless other steps were chosen. FIGURE is an expression of `sed -nE` for
# the line of the output that says what was done; the last such line is printed.
step() {
    local name=$1 limit=$2 figure=$3 status=0 began=$SECONDS result=ok
    shift 3
    known+=("$name")
    if ((${#chosen[@]} > 0)) && [[ " ${chosen[*]} " != *" $name "* ]]; then return; fi
    if [[ -t 2 ]]; then printf '%s: %s …\r' "$name" "$folder/$name.log" >&2; fi
    timeout --kill-after=30s "$limit" "$@" </dev/null >"$folder/$name.log" 2>&1 || status=$?
    if ((status == 124 || status == 137)); then
        result="NOT DONE within $limit"
    elif ((status != 0)); then
        result="FAILED ($status)"
    fi
    if [[ $result != ok ]]; then failed=$((failed + 1)); fi
    printf '%-14s %-22s %6d s  %.90s\n' "$name" "$result" $((SECONDS - began)) \
        "$(sed -nE "$figure" "$folder/$name.log" | tail -n 1)" | tee -a $folder/results
}

# tests NAME "VARIABLE=VALUE…" FILTER : some tests, with more rounds than usual.
tests() {
    local variables
    read -ra variables <<<"$2"
    step "$1" 40m 's/^.*(Test run with .*)$/\1/p' env "${variables[@]}" \
        bash -c 'scripts/trust.sh --build && swift test --skip-build --disable-xctest --filter "$0"' "$3"
}

scripts/setup.sh build lint bench bench-check model
commit=$(git rev-parse --short HEAD 2>/dev/null || echo 'no commit')
if [[ -n $(git status --porcelain 2>/dev/null) ]]; then commit+=" and changes"; fi
printf '%s, commit %s\n' "$(date -u +%Y-%m-%d)" "$commit" | tee -a $folder/results

step models 30m 's/^(model: .*)$/\1/p' scripts/model.sh
step memory-model 10m 's/^weakmemory: (.*)$/\1/p' scripts/weakmemory.sh 120
step orders 40m 's/^weakmemory: (.*)$/\1/p' scripts/weakmemory.sh --orders 180
step core-mutants 30m 's/^weakmemory: (.*)$/\1/p' scripts/weakmemory.sh --mutants
step delays 10m '/./p' scripts/stress.sh "${TRUST_SECONDS:-30}"
step arm64 15m '/./p' scripts/arm64.sh 2
step simulation 30m 's/^(.*planted defects found.*)$/\1/p' scripts/simulate.sh 10000
step build 15m 's/^(Build complete.*)$/\1/p' scripts/trust.sh --build
step threads 40m 's/^.*(Test run with .*)$/\1/p' make tsan
step addresses 30m 's/^.*(Test run with .*)$/\1/p' make asan
step jumps 30m 's/^.*(Test run with .*)$/\1/p' scripts/jumps.sh
tests histories MILLRACE_HISTORIES=500 LinearizabilityTests
tests kills MILLRACE_JOURNAL_KILLS=30 KillTests
tests tool-kills MILLRACE_KILLS=50 JournalRunTests
step book-kills 40m 's/^.*(Test run with .*)$/\1/p' env MILLRACE_BOOK_KILLS=60 \
    swift test --disable-xctest --package-path Examples --filter KillTests
tests power-cuts 'MILLRACE_JOURNAL_CUTS=10000 MILLRACE_JOURNAL_SCHEDULES=10000' PowerCutTests
tests replay MILLRACE_VERIFY_ACTIONS=1000000 SecondProcessTests
step instructions 25m 's/^(bench-check: .*)$/\1/p' make bench-check
step fuzzing 30m '/./p' scripts/fuzz.sh

for name in ${chosen[@]+"${chosen[@]}"}; do
    if [[ " ${known[*]} " != *" $name "* ]]; then
        echo "trust: no step '$name' (${known[*]})" >&2
        exit 1
    fi
done
if ((failed > 0)); then
    echo "trust: $failed steps failed; their output is in $folder"
    exit 1
fi
