#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a lift costs: the compiler understands a composition of eight lifts within 100 ms, and a key path literal in a lift
# is no key path any more in an optimised build. Each check has a control that it must catch.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --target MillraceEffects 1>&2
modules=$(swift build --show-bin-path)/Modules
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
output=$temporary/output

fail() {
    cat "$output" >&2
    echo "lift-check: $1" >&2
    exit 1
}

# took FILE : the milliseconds that the compiler takes for the slowest expression of FILE, the least of five tries; a minute if
# it gives up. A file that does not compile is an error.
took() {
    local status try least=60000 found
    for try in 1 2 3 4 5; do
        status=0
        swiftc -typecheck -swift-version 6 -I "$modules" -Xfrontend -warn-long-expression-type-checking=1 \
            scripts/lift-check/Parts.swift "scripts/lift-check/$1.swift" >"$output" 2>&1 || status=$?
        if grep -q 'unable to type-check' "$output"; then continue; fi
        ((status == 0)) || fail "$1.swift does not compile"
        found=$(sed -nE 's/.* took ([0-9]+)ms to type-check.*/\1/p' "$output" | sort -n | tail -n 1)
        if ((found < least)); then least=$found; fi
    done
    echo "$least"
}

# within MILLISECONDS LIMIT : whether this is at most LIMIT, or on a slow machine as many times the LIMIT as the control takes
# seconds, at most three. A composition of eight lifts takes 5 to 7 % of the time of the control: with 100 ms, 10 % are allowed.
within() {
    local slow=$((control < 3000 ? control : 3000))
    (($1 <= $2 || $1 * 1000 <= $2 * slow))
}

# evaluated LABEL : whether the lift of Literal.swift evaluates its key path at run time, if the label is LABEL.
evaluated() {
    sed "s/state:/$1:/" scripts/lift-check/Literal.swift >"$temporary/Literal.swift"
    swiftc -O -wmo -enable-testing -emit-assembly -swift-version 6 -parse-as-library -module-name Lifted -I "$modules" \
        scripts/lift-check/Parts.swift "$temporary/Literal.swift" -o "$temporary/Lifted.s" >"$output" 2>&1 ||
        fail "Literal.swift does not compile"
    grep -q 'swift_getAtKeyPath' "$temporary/Lifted.s"
}

control=$(took Control)
chains=$(took Chains)
effects=$(took EffectChains)
within "$chains" 100 || fail "a composition of eight lifts takes $chains ms, where the control takes $control"
within "$effects" 250 || fail "a composition of effect middlewares or composites takes $effects ms, where the control takes $control"
((control >= 5 * chains && control > 100)) || fail "the control is not caught: a second lift with the same labels takes $control ms"

if evaluated state; then fail "a key path literal is evaluated in an optimised build"; fi
evaluated statePath || fail "the control is not caught: a key path that is evaluated"

echo "lift-check: ok"
