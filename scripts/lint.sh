#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Formatting of Swift (swift-format) and C, C++ (clang-format), key paths that would cost a reference count, memory orders
# that C11 does not allow, sockets, what the models stand for, and the subjects of the last commits.
#
#   scripts/lint.sh          checks, exit 1 on any finding
#   scripts/lint.sh --fix    rewrites the files in place
set -euo pipefail
cd "$(dirname "$0")/.."

# The nested packages have build folders with the checkouts of others in them.
sources() {
    local roots=() root
    for root in Package.swift Sources CSources Tests Benchmarks Examples scripts; do
        if [[ -e $root ]]; then roots+=("$root"); fi
    done
    find "${roots[@]}" \
        -name '.build*' -prune -o -type f \( "$@" \) -print0
}
swift_files=(-name '*.swift')
c_files=(-name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp')

case ${1:-} in
--fix)
    sources "${swift_files[@]}" | xargs -0 -r swift format format --in-place --parallel
    sources "${c_files[@]}" | xargs -0 -r clang-format -i
    ;;
'')
    status=0
    sources "${swift_files[@]}" | xargs -0 -r swift format lint --strict --parallel || status=1
    sources "${c_files[@]}" | xargs -0 -r clang-format --dry-run -Werror || status=1
    # A key path makes the compiler retain the object, or check the accesses around it.
    if sources "${swift_files[@]}" | xargs -0 -r grep -nF '_withUnsafeGuaranteedRef(\.' >&2; then
        echo 'lint: pass a closure instead of a key path' >&2
        status=1
    fi
    if grep -rnE '\bsocket\(|getaddrinfo|URLSession|import NIO' --include='*.swift' --include='*.[ch]' Sources CSources >&2; then
        echo 'lint: no product opens a socket (SECURITY.md)' >&2
        status=1
    fi
    scripts/weakmemory/orders.py --check || status=1
    scripts/model-names.py >/dev/null || status=1
    # Shell scripts are checked where shellcheck happens to be installed.
    if command -v shellcheck >/dev/null; then
        shellcheck scripts/*.sh .ci/run || status=1
    fi
    # A change that is not in a repository has no commits.
    long=$(git log -50 --format=%s 2>/dev/null | awk 'length > 72') || true
    if [[ -n $long ]]; then
        printf 'lint: the subject of a commit has more than 72 characters: %s\n' "$long" >&2
        status=1
    fi
    if ((status == 0)); then
        echo "lint: clean"
    else
        echo "lint: findings above; 'make format' mends the layout" >&2
    fi
    exit "$status"
    ;;
*)
    echo "usage: scripts/lint.sh [--fix]" >&2
    exit 2
    ;;
esac
