#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the stress driver. usage: build.sh CORE OUT FLAG…
#   CORE   the folder of the C core, with include/ and src/
#   OUT    the program to write
set -euo pipefail
cd "$(dirname "$0")/../.."
core=$1 out=$2
shift 2
clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
"$clang" -std=c11 -g -D_GNU_SOURCE "$@" -include scripts/stress/interleave.h -I"$core/include" -ITests/CMillraceStress/include \
    scripts/stress/main.c Tests/CMillraceStress/*.c "$core"/src/*.c \
    -lurcu-bp -lurcu-common -lpthread -o "$out" 2> >(grep -v 'ld.gold\|dwarf' >&2)
