#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what a target of the Makefile needs, if it is not there yet. A call that finds everything prints nothing.
#
#   scripts/setup.sh [build] [lint] [bench] [bench-check] [bench-cli] [model] [arm64]        (default: build)
#
# Where it cannot install, it ends with one line that names the command to run, and exits with 1.
set -euo pipefail

missing=()

die() {
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

# want PACKAGE PROBE… : PACKAGE is missing unless the probe succeeds.
want() {
    "${@:2}" >/dev/null 2>&1 || missing+=("$1")
}

has_concurrentqueue() {
    local header
    for header in /usr/include/concurrentqueue/{moodycamel/,}concurrentqueue.h; do
        if [[ -r $header ]]; then return 0; fi
    done
    return 1
}

look() {
    missing=()
    local purpose
    for purpose in "$@"; do
        case $purpose in
        build)
            want pkg-config command -v pkg-config
            want liburcu-dev pkg-config --exists liburcu-bp
            # The command-line tool reads compressed logs.
            want zlib1g-dev pkg-config --exists zlib
            want libzstd-dev pkg-config --exists libzstd
            ;;
        lint) want clang-format command -v clang-format ;;
        bench)
            want libconcurrentqueue-dev has_concurrentqueue
            want libsqlite3-dev pkg-config --exists sqlite3
            want libboost-dev test -r /usr/include/boost/lockfree/queue.hpp
            ;;
        bench-check)
            want valgrind command -v valgrind
            want binutils command -v strip
            ;;
        bench-cli)
            want mawk command -v mawk
            want goaccess command -v goaccess
            want jq command -v jq
            ;;
        model)
            want spin command -v spin
            want gcc command -v cc
            ;;
        arm64)
            want gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
            want libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/lib/libc.a
            want qemu-user command -v qemu-aarch64
            ;;
        *) die "unknown purpose '$purpose' (build, lint, bench, bench-check, bench-cli, model, arm64)" ;;
        esac
    done
}

install_missing() {
    local by_hand="apt-get install -y ${missing[*]}"
    if [[ $(uname -s) == Darwin ]]; then
        die "install liburcu and pkg-config by hand: brew install userspace-rcu pkgconf"
    fi
    command -v apt-get >/dev/null || die "no apt-get here; install by your package manager what Debian calls: ${missing[*]}"

    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        # sudo may ask for a password only where somebody can type it.
        if ! command -v sudo >/dev/null || { ! sudo -n true 2>/dev/null && ! [[ -t 0 ]]; }; then
            die "cannot become root; run this, then try again: sudo $by_hand"
        fi
        as_root=(sudo)
        by_hand="sudo $by_hand"
    fi

    printf 'setup: installing %s\n' "${missing[*]}" >&2
    local log
    log=$(mktemp)
    # shellcheck disable=SC2064  # the path is wanted as it is now
    trap "rm -f '$log'" EXIT
    apt() {
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq -y \
            -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" \
            </dev/null >"$log" 2>&1
    }
    # Fresh images carry no package lists, old ones stale lists: both show as a failed first attempt.
    if ! apt install --no-install-recommends "${missing[@]}"; then
        apt update || true
        if ! apt install --no-install-recommends "${missing[@]}"; then
            local reason
            reason=$(grep -m 1 '^E: ' "$log" || true)
            die "apt-get failed${reason:+ (${reason#E: })}; run this, then try again: $by_hand"
        fi
    fi
}

if (($# == 0)); then set -- build; fi
command -v swift >/dev/null ||
    die "no 'swift' on PATH; install a Swift toolchain, 6.2 or newer (https://www.swift.org/install/linux), and try again"
look "$@"
if ((${#missing[@]} > 0)); then
    install_missing
    look "$@"
    if ((${#missing[@]} > 0)); then
        die "still missing after the installation: ${missing[*]}"
    fi
fi
