#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The checks that take hours, in parts of minutes. What was done is kept, so a second call goes on where the first one ended.
#
#   scripts/trust-once.sh [step...]            all steps, or some
#   scripts/trust-once.sh --minutes N [step...]   begins no part after N minutes
#   scripts/trust-once.sh --status             what was done for this code, and what is left
#
# The results belong to the code, not to the commit: a change of documents outside of the sources, or of the lists of skipped
# tests and unrun lines, leaves them valid. They are in .build-trust-once/CODE, where CODE is a hash of the sources, tests and scripts; each part has a
# file with its date, commit and last line. A part that failed has a file NAME.failed with its output, and is done again.
# --status also tells what was done for older code.
set -euo pipefail
cd "$(dirname "$0")/.."

# step NAME PARTS UNIT : the units are what a part does.
names=() parts=() units=()
step() {
    names+=("$1") parts+=("$2") units+=("$3")
}
step mutants 1 "all mutants of the library"
step soak 100 "10,000,000 actions"
step races 10 "1,000 shutdown races"
step seeds 100 "100,000 simulated schedules"
step policies 12 "100,000 of each engine and policy"
step histories 20 "500 histories of each store"
for target in Tests/Fuzzing/Corpus/*/; do step "fuzz-$(basename "$target")" 6 "600 s"; done

# do_part STEP NUMBER : one part, from 0.
do_part() {
    case $1 in
    mutants) scripts/mutate.py ;;
    soak) .build/release/soak actions 10000000 $(($2 * 10)) ;;
    races) .build/release/soak races 1000 $(($2 * 1000 + 1)) ;;
    seeds) .build-simulated/release/simulate explore 100000 $(($2 * 100000)) ;;
    policies) .build-simulated/release/simulate policies 100000 $(($2 * 100000)) ;;
    histories)
        MILLRACE_HISTORIES=500 MILLRACE_SEED=$(($2 * 500 + 1)) swift test --skip-build --disable-xctest \
            --filter LinearizabilityTests.StoreHistoryTests
        ;;
    fuzz-*) FUZZ_SKIP_BUILD=1 scripts/fuzz.sh "${1#fuzz-}" 600 ;;
    esac
}

# build STEP : what its parts run. Once a call.
declare -A built=()
build() {
    local what=${1%%-*}
    if [[ $what == races ]]; then what=soak; fi
    if [[ $what == policies ]]; then what=seeds; fi
    if [[ -n ${built[$what]:-} ]]; then return; fi
    case $what in
    soak) swift build -c release --product soak >&2 ;;
    seeds) scripts/simulate.sh explore 2 >/dev/null ;;
    histories) swift build --build-tests >&2 ;;
    fuzz) scripts/fuzz.sh --corpus >&2 ;;
    esac || return 1
    built[$what]=yes
}

code=$(git ls-tree -r HEAD Sources CSources Tests Package.swift scripts | grep -vE 'scripts/(jumps\.skip|unrun\.reasons)$' |
    sha1sum | cut -c1-10)
results=.build-trust-once/$code

done_of() { (find "$results" -name "$1.*.done" 2>/dev/null || true) | wc -l; } # without a result there is no folder

status() {
    local index name left=0
    printf 'code %s, commit %s\n%-16s %9s  %-30s %s\n' "$code" "$(git rev-parse --short HEAD)" step done "a part" result
    for index in "${!names[@]}"; do
        name=${names[index]}
        local count result=
        count=$(done_of "$name")
        left=$((left + parts[index] - count))
        if compgen -G "$results/$name.*.failed" >/dev/null; then
            result="FAILED: $(ls "$results/$name".*.failed)"
        elif ((count > 0)); then
            result=$(cat "$results/$name".*.done | sort | tail -n 1)
        elif compgen -G ".build-trust-once/*/$name.*.done" >/dev/null; then
            result="for older code: $(cat .build-trust-once/*/"$name".*.done | sort | tail -n 1)"
        fi
        printf '%-16s %4d/%-4d  %-30s %.100s\n' "$name" "$count" "${parts[index]}" "${units[index]}" "$result"
    done
    printf '%d parts are left\n' "$left"
}

minutes=0 chosen=()
while (($# > 0)); do
    case $1 in
    --status)
        status
        exit
        ;;
    --minutes)
        minutes=$2
        shift
        ;;
    *)
        if [[ " ${names[*]} " != *" $1 "* ]]; then
            echo "trust-once: no step '$1' (${names[*]})" >&2
            exit 2
        fi
        chosen+=("$1")
        ;;
    esac
    shift
done
if [[ -n $(git status --porcelain) ]]; then
    echo "trust-once: commit the changes first: a result belongs to code that can be found again" >&2
    exit 2
fi

scripts/setup.sh build
mkdir -p "$results"
failed=0
for index in "${!names[@]}"; do
    name=${names[index]}
    if ((${#chosen[@]} > 0)) && [[ " ${chosen[*]} " != *" $name "* ]]; then continue; fi
    for ((part = 0; part < parts[index]; part++)); do
        file=$results/$name.$part
        if [[ -e $file.done ]]; then continue; fi
        if ((minutes > 0 && SECONDS >= minutes * 60)); then break 2; fi
        build "$name" || {
            echo "trust-once: the program of $name was not built" >&2
            exit 1
        }
        if [[ -t 2 ]]; then printf '%s: part %d of %d …\r' "$name" $((part + 1)) "${parts[index]}" >&2; fi
        rm -f "$file.failed"
        began=$SECONDS
        if do_part "$name" "$part" </dev/null >"$file.running" 2>&1; then
            printf '%s, commit %s, %d s: %s\n' "$(date -u +%Y-%m-%d)" "$(git rev-parse --short HEAD)" $((SECONDS - began)) \
                "$(grep -v '^$' "$file.running" | tail -n 1)" >"$file.done"
            rm "$file.running"
        else
            mv "$file.running" "$file.failed"
            echo "trust-once: $name, part $part FAILED: $file.failed"
            failed=$((failed + 1))
            break
        fi
    done
done
status
((failed == 0))
