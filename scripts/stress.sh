#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C core under AddressSanitizer and UndefinedBehaviorSanitizer, with delays injected between the steps of its protocols.
# usage: scripts/stress.sh [seconds a plan] [seed]
set -euo pipefail
cd "$(dirname "$0")/.."
driver=$(mktemp -d)
trap 'rm -rf "$driver"' EXIT
clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
# liburcu places its own reader records off the alignment that their type asks for, hence no alignment check.
"$clang" -std=c11 -O1 -g -D_GNU_SOURCE -DMILLRACE_INTERNAL_CHECKS -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=all \
    -Wall -Wextra -Werror -include scripts/stress/interleave.h -ICSources/CMillrace/include -ITests/CMillraceStress/include \
    scripts/stress/main.c Tests/CMillraceStress/*.c CSources/CMillrace/src/*.c \
    -lurcu-bp -lurcu-common -lpthread -o "$driver/stress" 2> >(grep -v 'ld.gold\|dwarf' >&2)
"$driver/stress" "$@"
