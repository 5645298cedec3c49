#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the library with a processor's counter that steps by hours, in both directions, about every 250 readings, and runs
# tests: all that waits has to end, nothing may be lost or come in another order.
#
#   scripts/jumps.sh [FILTER]      (default: all targets whose code waits)
#
# Left out are the tests that compare measured times, which such a counter makes wrong: scripts/jumps.skip lists them.
set -euo pipefail
cd "$(dirname "$0")/.."
# As in the Makefile: more tests at once than this only wait for each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-8}

filter=${1:-'^(CMillraceTests|MillraceRuntimeTests|MillraceCoreTests|ConformanceTests|MillraceTests|LinearizabilityTests|MillraceObservationTests|MillraceEffectsTests|MillraceCombineTests|MillraceGatedTests|MillraceServiceTests|MillraceFeedbackTests|MillraceSubstatesTests|MillraceJournalTests)\.'}
skip=()
while read -r test _; do
    if [[ $test && $test != \#* ]]; then skip+=(--skip "$test"); fi
done <scripts/jumps.skip
flags=(--scratch-path .build-jumps -Xcc -DMILLRACE_JUMPING_COUNTER)
SWIFT_DETERMINISTIC_HASHING=1 swift build --build-tests "${flags[@]}"
swift test --skip-build --disable-xctest "${flags[@]}" --filter "$filter" "${skip[@]}"
