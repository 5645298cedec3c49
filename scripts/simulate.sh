#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the library for simulation, where threads also stop inside the C core, and runs its own scenarios by seed.
#
# scripts/simulate.sh [SEEDS]: SEEDS schedules (2,000), and a fifth as many of journaled stores, which are longer, and of
# each engine and policy, must keep every rule, and take the same steps in three processes. Then each planted defect must be
# found within 10,000 seeds.
# scripts/simulate.sh rules [SEEDS]: the same without the planted defects.
# scripts/simulate.sh explore [SEEDS [FIRST]]: some schedules only.
# scripts/simulate.sh journals [SEEDS [FIRST]]: the same, of journaled stores.
# scripts/simulate.sh policies [SEEDS [FIRST]]: the same, of each engine and policy of a full store.
# scripts/simulate.sh planted [SEEDS [NAME]]: which of the planted defects are found within so many seeds.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=(-Xcc -DMILLRACE_SIMULATED -Xswiftc -DMILLRACE_SIMULATED -Xswiftc -DMILLRACE_PLANTED)
SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --product simulate --scratch-path .build-simulated "${flags[@]}" >&2
simulate=.build-simulated/release/simulate
case ${1:-} in
explore | journals | policies) exec "$simulate" "$@" ;;
esac

# A defect may lose a task for ever; Swift's runtime says so for each.
planted() {
    "$simulate" planted "$@" 2> >(grep -v 'TASK CONTINUATION MISUSE' >&2)
    if (($# == 1)); then "$simulate" planted-policies "$@" 2> >(grep -v 'TASK CONTINUATION MISUSE' >&2); fi
}

# inThreeProcesses COMMAND COUNT
inThreeProcesses() {
    local first again process
    first=$("$simulate" "$@")
    echo "$first"
    for process in 2 3; do
        again=$("$simulate" "$@")
        if [[ $again != "$first" ]]; then
            printf 'simulate: process %d took other steps:\n%s\n' "$process" "$again" >&2
            exit 1
        fi
    done
    echo "$1: three processes took the same steps"
}

rules() {
    local seeds=${1:-2000}
    inThreeProcesses explore "$seeds"
    inThreeProcesses journals $((seeds / 5))
    inThreeProcesses policies $((seeds / 5))
}

case ${1:-} in
rules) rules "${2:-}" ;;
planted) planted "${2:-10000}" "${@:3}" ;;
*[!0-9]*)
    echo "simulate: no command '$1': $(sed -n 's/^# scripts\/simulate.sh \([a-z]*\).*/\1/p' "$0" | xargs)" >&2
    exit 2
    ;;
*)
    rules "${1:-}"
    planted 10000
    ;;
esac
