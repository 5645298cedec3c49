#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a lift costs: the compiler understands a composition of eight lifts in a moment, and a key path literal in a lift
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

# slow FILE LIMIT : whether the compiler takes longer than LIMIT milliseconds for an expression of FILE, five times in a
# row: on a busy machine the same expression may take twice as long. A file that does not compile is an error, unless the
# compiler gave up.
slow() {
    local status try
    for try in 1 2 3 4 5; do
        status=0
        swiftc -typecheck -swift-version 6 -I "$modules" -Xfrontend -warn-long-expression-type-checking="$2" \
            scripts/lift-check/Parts.swift "scripts/lift-check/$1.swift" >"$output" 2>&1 || status=$?
        if grep -qE 'to type-check \(limit|unable to type-check' "$output"; then continue; fi
        ((status == 0)) || fail "$1.swift does not compile"
        return 1
    done
}

# evaluated LABEL : whether the lift of Literal.swift evaluates its key path at run time, if the label is LABEL.
evaluated() {
    sed "s/state:/$1:/" scripts/lift-check/Literal.swift >"$temporary/Literal.swift"
    swiftc -O -wmo -enable-testing -emit-assembly -swift-version 6 -parse-as-library -module-name Lifted -I "$modules" \
        scripts/lift-check/Parts.swift "$temporary/Literal.swift" -o "$temporary/Lifted.s" >"$output" 2>&1 ||
        fail "Literal.swift does not compile"
    grep -q 'swift_getAtKeyPath' "$temporary/Lifted.s"
}

if slow Chains 100; then fail "a composition of eight lifts takes longer than 100 ms"; fi
if slow EffectChains 250; then fail "a composition of effect middlewares or composites takes longer than 250 ms"; fi
slow Control 100 || fail "the control is not caught: a second lift with the same labels"

if evaluated state; then fail "a key path literal is evaluated in an optimised build"; fi
evaluated statePath || fail "the control is not caught: a key path that is evaluated"

echo "lift-check: ok"
