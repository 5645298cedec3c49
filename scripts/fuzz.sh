#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes the readers of foreign bytes (Tests/Fuzzing) with libFuzzer and AddressSanitizer, on one core.
#
#   fuzz.sh [target] [seconds]   all targets, or one; 60 seconds each
#   fuzz.sh --corpus             runs each file of the corpus once
#   fuzz.sh --seeds [folder]     writes the seeds anew that the library itself makes
#   fuzz.sh --run target file    runs one input, as the message of a crash says
#
# Each of them builds the program first, unless FUZZ_SKIP_BUILD is set.
#
# The corpus of the repository is Tests/Fuzzing/Corpus/<target>: seed-* is made by --seeds, found-* has broken something
# once. What a run finds besides stays in .build-fuzz/<target>.
set -euo pipefail
cd "$(dirname "$0")/.."

package=Tests/Fuzzing
program=$package/.build/release/fuzz
found=.build-fuzz
# No crash handler of Swift: under AddressSanitizer it may hang.
export SWIFT_BACKTRACE=enable=no
# An allocation that is too large is reported, and not answered by a null pointer. Freed memory is not kept for long.
export ASAN_OPTIONS=allocator_may_return_null=0:quarantine_size_mb=16:detect_leaks=0
MILLRACE_FUZZ_SCRATCH=$(mktemp -d)
export MILLRACE_FUZZ_SCRATCH
trap 'rm -rf "$MILLRACE_FUZZ_SCRATCH"' EXIT
# No input has a megabyte. The largest allocation is a property of each target.
limits=(-rss_limit_mb=1024 -timeout=10)

# build : builds the program, unless FUZZ_SKIP_BUILD says that it is built.
build() {
    [[ -z ${FUZZ_SKIP_BUILD:-} ]] || return 0
    # Of two sanitizers Swift takes the coverage of the last one, which has none: so it is named.
    SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --package-path $package --sanitize=fuzzer --sanitize=address -Xswiftc -enable-testing \
        -Xswiftc -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table \
        --product fuzz 1>&2
}

list() { MILLRACE_FUZZ_TARGET=list $program; }

# figure NAME LOG : a number that libFuzzer prints at its end.
figure() { sed -n "s/^stat::$1: *//p" "$2" | tail -n 1; }

# fuzz TARGET MOST MEGABYTES SECONDS : prints a line of the table; false after a finding.
fuzz() {
    local target=$1 most=$2 megabytes=$3 seconds=$4 status=0 log=$found/$1.log folder=$found/$1 corpus=$package/Corpus/$1
    mkdir -p "$folder"
    MILLRACE_FUZZ_TARGET=$target nice -n 10 timeout --kill-after=10s $((seconds + 120)) $program "${limits[@]}" \
        -malloc_limit_mb="$megabytes" -max_len="$most" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$folder-" \
        "$folder" "$corpus" >"$log" 2>&1 </dev/null || status=$?
    local coverage result=ok
    coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2)
    ((status == 0)) || result="FAILED, exit $status: $log"
    printf '%-10s %12s %9s %7s %9s  %s\n' "$target" "$(figure number_of_executed_units "$log")" \
        "$(figure average_exec_per_sec "$log")" "$(find "$folder" -type f | wc -l)" "${coverage:-?}" "$result"
    ((status == 0)) && return
    grep -m 3 -E 'PROPERTY BROKEN|ERROR: |Fatal error' "$log" | sed 's/^/    /' || true
    local input
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    printf '    to repeat it: scripts/fuzz.sh --run %s %s\n' "$target" "${input:-?}"
    return 1
}

# once TARGET FILE… : runs inputs once.
once() {
    local target=$1 megabytes
    megabytes=$(list | awk -v name="$1" '$1 == name { print $3 }')
    shift
    MILLRACE_FUZZ_TARGET=$target timeout 300 $program "${limits[@]}" -malloc_limit_mb="${megabytes:-16}" "$@" </dev/null
}

case ${1:-} in
--corpus)
    build
    failed=0
    while read -r target _; do
        log=$MILLRACE_FUZZ_SCRATCH/$target.log
        files=("$package/Corpus/$target"/*)
        if once "$target" "${files[@]}" >"$log" 2>&1; then
            printf '%-10s %4d files: ok\n' "$target" ${#files[@]}
        else
            failed=1
            printf '%-10s FAILED\n' "$target"
            grep -E '^Running: |PROPERTY BROKEN|ERROR: |Fatal error' "$log" | tail -n 3 | sed 's/^/    /'
        fi
    done < <(list)
    exit $failed
    ;;
--seeds)
    build
    corpus=${2:-$package/Corpus}
    while read -r target _; do
        folder=$corpus/$target
        mkdir -p "$folder"
        rm -f "$folder"/seed-*
        MILLRACE_FUZZ_TARGET=$target MILLRACE_FUZZ_SEEDS=$folder $program
    done < <(list)
    du -sk --apparent-size "$corpus"
    ;;
--run)
    build
    once "$2" "$3"
    ;;
-*)
    sed -n '4,10p' "$0" >&2
    exit 64
    ;;
*)
    build
    only=${1:-} seconds=${2:-60} failed=0 known=0
    if [[ $only =~ ^[0-9]+$ ]]; then only='' seconds=$1; fi
    printf '%-10s %12s %9s %7s %9s  %s\n' target executions 'a second' corpus coverage result
    while read -r target most megabytes; do
        [[ -z $only || $only == "$target" ]] || continue
        known=1
        fuzz "$target" "$most" "$megabytes" "$seconds" || failed=1
    done < <(list)
    ((known)) || { echo "no target '$only'; there are: $(list | cut -d' ' -f1 | xargs)" >&2 && exit 64; }
    exit $failed
    ;;
esac
