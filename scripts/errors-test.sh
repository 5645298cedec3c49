#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the compiler says about a mistake names what is wrong and how to correct it: compares its words about
# Tests/Mistakes/Mistakes.swift with those that the file expects. The compiler has to accept Tests/Mistakes/Corrected.swift,
# and the samples of articles in Tests/Mistakes/Articles.swift. Uses the modules of the last debug build.
set -euo pipefail
cd "$(dirname "$0")/.."
modules=.build/debug/Modules

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

for module in Millrace MillraceCombine MillraceEffects MillraceLogging MillraceMetrics MillraceService; do
    if [[ ! -e $modules/$module.swiftmodule ]]; then
        echo "errors-test: there is no $modules/$module.swiftmodule: build first, with 'swift build'" >&2
        exit 1
    fi
done

# The modules of C that the products need, the packages below .build included.
maps=()
while IFS= read -r map; do maps+=(-Xcc "-fmodule-map-file=$map"); done < <(
    ls CSources/CURCU/module.modulemap .build/debug/*.build/module.modulemap
    find .build/checkouts/ -path '*/_NumericsShims/*' -name module.modulemap
)

# words FILE : what the compiler says about it, as "line: words".
words() {
    timeout 60 swiftc -typecheck -swift-version 6 -module-name Mistakes -diagnostic-style llvm -no-color-diagnostics \
        -I "$modules" "${maps[@]}" \
        "Tests/Mistakes/$1" Tests/Mistakes/Domain.swift >"$temporary/output" 2>&1 || true
    sed -nE -e "s|^[^ ]*$1:([0-9]+):[0-9]+: (error\|warning): (.*)|\1: \3|p" \
        -e '/(error|warning): /{/^[^ ]*'"$1"':/!s/^/0: /p}' "$temporary/output"
}

status=0
for file in Corrected.swift Articles.swift; do
    if said=$(words "$file") && [[ -n $said ]]; then
        printf 'errors-test: the compiler rejects %s:\n%s\n' "$file" "$said" >&2
        status=1
    fi
done

# Every expected line is said, and no other line is.
words Mistakes.swift >"$temporary/said"
sed -nE '/^ *\/\/ expect: /{=;s///;p;}' Tests/Mistakes/Mistakes.swift | paste -d' ' - - >"$temporary/expected"
while read -r line expected; do
    line=$((line + 1))
    if ! grep -E "^$line: " "$temporary/said" | grep -qF -- "$expected"; then
        printf 'errors-test: Mistakes.swift:%d: expected: %s\n' "$line" "$expected" >&2
        status=1
    fi
    sed -i "/^$line: /d" "$temporary/said"
done <"$temporary/expected"
if [[ -s $temporary/said ]]; then
    printf 'errors-test: the compiler also says about Mistakes.swift:\n%s\n' "$(<"$temporary/said")" >&2
    status=1
fi
if ((status == 0)); then echo "errors-test: ok, $(wc -l <"$temporary/expected") mistakes"; fi
exit "$status"
