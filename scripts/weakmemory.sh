#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the C core under a model of the C11 memory (scripts/weakmemory/model/view.hpp explains it): random schedules,
# and loads that may read old values.
#
#   scripts/weakmemory.sh [seconds] [seed] [scenario,…] explores; default 20 seconds of processor time, seed of the time
#   scripts/weakmemory.sh --replay SCENARIO SEED        one execution again, with its trace
#   scripts/weakmemory.sh --mutants [seconds a mutant]  puts single mistakes into copies of the core; each must be found
#   scripts/weakmemory.sh --orders [seconds [word...]]  weakens each memory order by one step; see weakmemory/orders.py
#
# Needs a C and a C++ compiler (the toolchain's clang will do). MILLRACE_WHOLE_TRACE=1 prints all of a trace.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

MILLRACE_ADDR2LINE=$(command -v addr2line || command -v llvm-symbolizer || true)
if [[ $MILLRACE_ADDR2LINE == *symbolizer ]]; then MILLRACE_ADDR2LINE+=" -f=none"; fi
export MILLRACE_ADDR2LINE

build() { scripts/weakmemory/build.sh "$1" "$2" "$work/kept" "${3:-}"; }

# --- Mutants
limit=30 failures=0

# The checks of single rules, with the core in a folder.
rules() {
    scripts/stress/build.sh "$1" "$2" -O1 -w
}

# mutant NAME INVARIANT SCENARIO FILE EXPRESSION, see scripts/weakmemory/mutants.sh.
mutant() {
    local name=$1 invariant=$2 by=$3 file=$4 expression=$5 status=0 executions='' seconds='' as=''
    rm -rf "$work/core"
    cp -r CSources/CMillrace "$work/core"
    sed -E -z -i "$expression" "$work/core/$file"
    if cmp -s "CSources/CMillrace/$file" "$work/core/$file"; then
        as="DOES NOT APPLY: mend it in scripts/weakmemory/mutants.sh"
    elif [[ $by == rules ]]; then
        rules "$work/core" "$work/mutant"
        timeout "$limit" "$work/mutant" --rules >"$work/log" 2>&1 || status=$?
        if ((status == 124)); then
            as="no end within $limit s"
        elif ((status != 0)); then
            as=$(sed -n 's/^BROKEN: //p' "$work/log" | head -1)
            as=${as:-crash}
        fi
    else
        rm -rf "$work/kept"
        cp -r "$work/whole" "$work/kept"
        MILLRACE_CHECKER_FLAGS=-w build "$work/core" "$work/mutant" "$file"
        # Nothing that a thread waits for can hang the checker: it sees a deadlock at once and counts steps.
        MILLRACE_NO_TRACE=1 timeout $((10 * limit + 60)) "$work/mutant" "$limit" 1 "$by" >"$work/log" 2>&1 || status=$?
        if ((status == 1)); then
            IFS='|' read -r seconds executions as < <(
                sed -n 's/^FOUND after \([0-9.]*\) s, execution \([0-9]*\) of scenario [a-z_]*: /\1|\2|/p' "$work/log")
        fi
    fi
    if [[ -z $as || $as == DOES* ]]; then
        as=${as:-NOT FOUND within $limit s}
        failures=$((failures + 1))
    fi
    printf '%-4s %-56s %-10s %10s %8s  %.60s\n' "$invariant" "$name" "$by" "$executions" "$seconds" "$as"
}

mutants() {
    limit=${1:-30}
    build CSources/CMillrace "$work/checker"
    mv "$work/kept" "$work/whole"
    printf '%-4s %-56s %-10s %10s %8s  %s\n' row mutant "found by" executions seconds "as"
    # shellcheck source=scripts/weakmemory/mutants.sh
    . scripts/weakmemory/mutants.sh
    if ((failures > 0)); then
        echo "weakmemory: $failures mutants were not found"
        exit 1
    fi
    echo "weakmemory: every mutant was found"
}

case ${1:-} in
--mutants) mutants "${2:-}" ;;
--orders) scripts/weakmemory/orders.py "${@:2}" ;;
--replay)
    build CSources/CMillrace "$work/checker"
    "$work/checker" "$@"
    ;;
-*)
    sed -n '3,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
*)
    build CSources/CMillrace "$work/checker"
    "$work/checker" --litmus 3000
    "$work/checker" "${1:-20}" "${2:-$(date +%s)}" ${3:+"$3"}
    ;;
esac
