#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C core under AddressSanitizer and UndefinedBehaviorSanitizer, with delays injected between the steps of its protocols.
# usage: scripts/stress.sh [SECONDS [SEED]] | --rules; SECONDS for each plan and each ring (2)
set -euo pipefail
cd "$(dirname "$0")/.."
driver=$(mktemp -d)
trap 'rm -rf "$driver"' EXIT
# liburcu places its own reader records off the alignment that their type asks for, hence no alignment check.
scripts/stress/build.sh CSources/CMillrace "$driver/stress" -O1 -DMILLRACE_INTERNAL_CHECKS -Wall -Wextra -Werror \
    -fsanitize=address,undefined -fno-sanitize=alignment -fno-sanitize-recover=all
"$driver/stress" "$@"
