#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks that each target imports only what ARCHITECTURE.md allows, and that Millrace calls C in one folder only.
set -euo pipefail
cd "$(dirname "$0")/.."

system='Glibc|Musl|Darwin|Dispatch|Synchronization|Observation|SwiftUI'
status=0

# allow TARGET MODULE… : the modules of packages that the target may import, besides those of the system.
allow() {
    local target=$1 allowed found
    shift
    allowed=$(printf '%s\n' "$@" | paste -sd'|')
    found=$(grep -rnE '^[[:space:]]*(@[A-Za-z_]+(\([^)]*\))? +|public +|package +|internal +)*import +' "Sources/$target" \
        --include='*.swift' | sed -E 's/import +(struct|class|enum|func|protocol|typealias) +/import /' |
        grep -vE "import +($system${allowed:+|$allowed})(\.|[[:space:]]|$)" || true)
    if [[ -n $found ]]; then
        printf 'arrows: %s must not import this (see ARCHITECTURE.md):\n%s\n' "$target" "$found" >&2
        status=1
    fi
}

allow MillraceCore
allow MillraceRuntime CMillrace
allow Millrace MillraceCore MillraceRuntime CMillrace
allow MillraceEffects MillraceCore
allow MillraceGated MillraceCore
allow MillraceFeedback Millrace MillraceCore MillraceEffects MillraceObservation
allow MillraceRecords MillraceCore CMillraceRecords Foundation
allow MillraceSubstates Millrace MillraceCore MillraceEffects
allow MillraceJournal Millrace MillraceCore MillraceRecords CMillraceJournal Foundation
allow MillraceJournalCommand MillraceCore MillraceRecords MillraceJournal ArgumentParser Foundation
allow MillraceLogging MillraceCore MillraceRuntime Logging
allow MillraceObservation Millrace
allow MillraceCombine Millrace MillraceCore MillraceEffects MillraceFeedback Combine OpenCombine OpenCombineDispatch
allow MillraceService Millrace ServiceLifecycle
allow MillraceMetrics Millrace MillraceCore MillraceInstrumentation MillraceJournal CoreMetrics
allow MillraceInstrumentation Millrace MillraceCore MillraceRuntime Histogram
allow MillraceTesting CTesting Millrace MillraceCore MillraceEffects MillraceRuntime Foundation Testing XCTest
allow MillraceJournalTesting MillraceTesting MillraceJournal MillraceRecords MillraceCore
allow MillraceCombineTesting MillraceTesting Combine OpenCombine Foundation XCTest
allow MillraceCLI MillraceCore Millrace MillraceRuntime MillraceEffects MillraceGated MillraceLogging MillraceInstrumentation MillraceJournal MillraceJournalCommand MillraceRecords CDecompress ArgumentParser Foundation

elsewhere=$(grep -rlE 'import +CMillrace|\bmillrace_[a-z]+_[a-z_]+\(' Sources/Millrace --include='*.swift' | grep -v '^Sources/Millrace/Native/' || true)
if [[ -n $elsewhere ]]; then
    printf 'arrows: C is called outside of Sources/Millrace/Native:\n%s\n' "$elsewhere" >&2
    status=1
fi
files=$(grep -rlE 'import +CMillrace' Sources/Millrace --include='*.swift' | wc -l)
if ((files > 6)); then
    echo "arrows: $files files of Millrace call C; at most six may" >&2
    status=1
fi
for folder in Sources/*/; do
    grep -q "^allow $(basename "$folder")\b" "$0" || {
        echo "arrows: no rule for the target $(basename "$folder")" >&2
        status=1
    }
done
if ((status == 0)); then echo "arrows: all point one way"; fi
exit "$status"
