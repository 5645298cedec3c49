#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Without liburcu's headers the C core must end in two readable lines: the #error that names the package, and the
# missing include. Compiles its files against a copy of the system's include folders that lacks them. The same for the
# part of the command-line tool that needs zlib and libzstd.
set -euo pipefail
cd "$(dirname "$0")/.."

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

multiarch=$(clang -print-multiarch 2>/dev/null || clang -dumpmachine)

without() { # without NAME : flags for the system's include folders without the files of this name, in $flags
    local folder shadow
    flags=(-nostdlibinc)
    for folder in "/usr/include/$multiarch" "/usr/include/${multiarch/-unknown-/-}" /usr/local/include /usr/include; do
        [[ -d $folder ]] || continue
        shadow=$temporary/${1//\*/}${folder//\//_}
        mkdir -p "$shadow"
        find "$folder" -mindepth 1 -maxdepth 1 ! -name "$1" -exec ln -sfn -t "$shadow" {} +
        flags+=(-isystem "$shadow")
    done
}

compile() { # compile FILE FLAG… : what SwiftPM does with a C file, as far as errors go
    clang -std=c11 -D_GNU_SOURCE -fsyntax-only -fno-caret-diagnostics -x c -I CSources/CMillrace/include \
        -I CSources/CDecompress/include "${@:2}" "$1" 2>&1
}

fail() { # fail FILE OUTPUT REASON
    printf '%s\nmissing-urcu-test: %s: %s\n' "$2" "$1" "$3" >&2
    exit 1
}

without 'urcu*'
# A header counts as a file of its own: whichever a client's compiler meets first must say it.
for file in CSources/CMillrace/include/*.h CSources/CMillrace/src/*.c; do
    # With the headers it compiles, so that a failure below has one cause only.
    output=$(compile "$file") || fail "$file" "$output" "does not compile even with liburcu"
    if output=$(compile "$file" "${flags[@]}"); then
        # A part that needs nothing of liburcu need not complain.
        continue
    fi
    errors=$(grep -c 'error:' <<<"$output" || true)
    [[ $errors -eq 2 ]] || fail "$file" "$output" "expected two errors, got $errors"
    grep -q 'error: .*apt-get install liburcu-dev' <<<"$output" || fail "$file" "$output" "liburcu-dev is not named"
    grep -q 'fatal error: .*urcu.* file not found' <<<"$output" || fail "$file" "$output" "the include is not the last"
    checked=$((${checked:-0} + 1))
done
((${checked:-0} > 0)) || fail CSources "" "no file of the C core needs liburcu"
grep 'error:' <<<"$output" || true

file=CSources/CDecompress/src/millrace_decompress.c
output=$(compile "$file") || fail "$file" "$output" "does not compile even with zlib and libzstd"
for missing in zlib.h:zlib1g-dev zstd.h:libzstd-dev; do
    without "${missing%:*}"
    output=$(compile "$file" "${flags[@]}") && fail "$file" "$output" "compiles without ${missing%:*}"
    errors=$(grep -c 'error:' <<<"$output" || true)
    [[ $errors -eq 2 ]] || fail "$file" "$output" "expected two errors, got $errors"
    grep -q "error: .*apt-get install ${missing#*:}" <<<"$output" || fail "$file" "$output" "${missing#*:} is not named"
    checked=$((checked + 1))
done
echo "missing-urcu-test: ok, $checked files"
