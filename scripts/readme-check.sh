#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's first Swift block is the source of Examples/Sources/Readme, word for word.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! diff <(awk '/^```swift$/ { on = 1; next } /^```$/ && on { exit } on' README.md) Examples/Sources/Readme/main.swift; then
    echo "The README's example and Examples/Sources/Readme/main.swift differ." >&2
    exit 1
fi
