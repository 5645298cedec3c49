#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The code that is shown is the code that is built: the README's first Swift block is the source of Examples/Sources/Readme,
# word for word, and every Swift block of an article stands in the source that belongs to it. Those that stand in a doc comment
# stand in Tests/Mistakes/Articles.swift, too, which the compiler reads.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! diff <(awk '/^```swift$/ { on = 1; next } /^```$/ && on { exit } on' README.md) Examples/Sources/Readme/main.swift; then
    echo "The README's example and Examples/Sources/Readme/main.swift differ." >&2
    exit 1
fi

# flat FILE... : the lines without indentation and without the marks of doc comments.
flat() { sed -E 's|^ *(/// ?)? *||' "$@"; }

# check ARTICLE SOURCE...
check() { compare cat "$@"; }

# quoted ARTICLE SOURCE... : the same for blocks from doc comments, or from inside a function. Their indentation may differ.
quoted() { compare flat "$@"; }

checked=()

compare() {
    local blocks block number=0 form=$1 article=$2 source
    shift 2
    checked+=("$article")
    source=$("$form" "$@")
    blocks=$(grep -c '^```swift$' "$article")
    while ((number < blocks)); do
        number=$((number + 1))
        block=$(awk -v wanted="$number" '/^```swift$/ { on = ++count == wanted; next } /^```$/ { on = 0 } on' "$article" |
            "$form")
        if [[ $source != *"$block"* ]]; then
            printf 'Swift block %d of %s is not in %s:\n%s\n' "$number" "$article" "$*" "$block" >&2
            exit 1
        fi
    done
}

check Sources/Millrace/Millrace.docc/ChoosingAnEngine.md Examples/Sources/ChoosingAnEngine/main.swift
check Sources/Millrace/Millrace.docc/OrderOfActions.md Examples/Sources/OrderOfActions/main.swift
check Sources/Millrace/Millrace.docc/BridgingReactiveLibraries.md Examples/Sources/BridgingReactive/main.swift
check Sources/Millrace/Millrace.docc/Dependencies.md Examples/Sources/Dependencies/main.swift
check Sources/MillraceCore/MillraceCore.docc/WritingAMiddleware.md Examples/Sources/WritingAMiddleware/main.swift
check Sources/Millrace/Millrace.docc/Plugins.md Examples/Sources/Plugins/{main,QuietAlarm}.swift
check Sources/MillraceObservation/MillraceObservation.docc/ObservingAStore.md Examples/Sources/Observing/main.swift
check Sources/MillraceLogging/MillraceLogging.docc/LoggingActions.md Examples/Sources/LoggingActions/main.swift
check Sources/MillraceGated/MillraceGated.docc/GatingAMiddleware.md Examples/Sources/Gated/main.swift
check Sources/MillraceRecords/MillraceRecords.docc/RecordingASession.md Examples/Sources/Recording/main.swift
check Sources/MillraceJournal/MillraceJournal.docc/AStoreThatSurvives.md Examples/Sources/Surviving/{main,Printing,Checking}.swift
check Sources/MillraceJournalCommand/MillraceJournalCommand.docc/MillraceJournalCommand.md Examples/Sources/JournalTool/main.swift
check Sources/MillraceEffects/MillraceEffects.docc/MillraceEffects.md Examples/Sources/Effects/main.swift
check Sources/MillraceInstrumentation/MillraceInstrumentation.docc/MeasuringAStore.md Examples/Sources/Measuring/main.swift
check Sources/MillraceInstrumentation/MillraceInstrumentation.docc/Outputs.md Examples/Sources/Outputs/main.swift
check Sources/MillraceService/MillraceService.docc/RunningAStoreAsAService.md Examples/Sources/Service/main.swift
check Sources/MillraceMetrics/MillraceMetrics.docc/ExportingMetrics.md Examples/Sources/Service/main.swift
quoted Sources/MillraceFeedback/MillraceFeedback.docc/FeedbackLoops.md \
    Examples/{Sources/Feedback/main,Tests/FeedbackExamplesTests/FeedbackExamplesTests}.swift
check Sources/MillraceSubstates/MillraceSubstates.docc/BuildingAnAppOfSubstates.md \
    Examples/Sources/TasksApp/{Substates,Actions,Reducers,TasksApp,TasksTransformer,TasksActionCreator,LoggingMiddleware}.swift \
    Examples/Tests/TasksAppTests/TasksAppTests.swift
check docs/scaling.md Examples/Sources/Scaling/main.swift

for article in TestingAnApp TestingAMiddleware FindingARaceBySeed; do
    quoted "Sources/MillraceTesting/MillraceTesting.docc/$article.md" "Tests/MillraceTestingTests/Articles/${article}Tests.swift"
done
# The README's example of a test is the second one of the article.
example=$(awk '/^## Test it/ { here = 1 } here && /^```swift$/ { on = 1; next } on && /^```$/ { exit } on' README.md)
if [[ -z $example || $(<Sources/MillraceTesting/MillraceTesting.docc/TestingAnApp.md) != *"$example"* ]]; then
    echo "The README's example of a test is not in the article TestingAnApp.md." >&2
    exit 1
fi

quoted Sources/MillraceCore/MillraceCore.docc/MillraceCore.md \
    Sources/MillraceCore/Reducer/Reducer.swift Sources/MillraceCore/Middleware/MiddlewareProtocol.swift
quoted Sources/MillraceCore/MillraceCore.docc/LiftingToCollections.md \
    Tests/MillraceCoreTests/{Support/ItemFixtures,Middleware/LiftToElementMiddlewareTests}.swift \
    Tests/Mistakes/Articles.swift
quoted Sources/MillraceRuntime/MillraceRuntime.docc/MillraceRuntime.md Sources/MillraceRuntime/Ticks.swift
quoted Sources/MillraceRuntime/MillraceRuntime.docc/RecordingEvents.md \
    Sources/MillraceRuntime/Ring/EventRing{,File,Snapshot}.swift
quoted Sources/MillraceCombine/MillraceCombine.docc/MillraceCombine.md Sources/MillraceCombine/View/ObservableViewModel.swift
quoted Sources/MillraceService/MillraceService.docc/MillraceService.md Sources/MillraceService/StoreService.swift
quoted Sources/MillraceMetrics/MillraceMetrics.docc/MillraceMetrics.md Sources/MillraceMetrics/StoreMetricsExporter.swift
quoted Sources/MillraceTesting/MillraceTesting.docc/FindingBrokenRules.md \
    Tests/MillraceTestingTests/Rules/FindingBrokenRulesTests.swift

for article in MillraceCore/MillraceCore.docc/MillraceCore MillraceRuntime/MillraceRuntime.docc/{MillraceRuntime,RecordingEvents} \
    MillraceCombine/MillraceCombine.docc/MillraceCombine MillraceService/MillraceService.docc/MillraceService \
    MillraceMetrics/MillraceMetrics.docc/MillraceMetrics; do
    quoted "Sources/$article.md" Tests/Mistakes/Articles.swift
done

# An article with Swift code that is not named above would be checked by nothing. The manifest lines of the guide for SwiftRex
# are those of the README.
for article in $(grep -l '^```swift$' docs/*.md Sources/*/*.docc/*.md | grep -v MigratingFromSwiftRex.md); do
    [[ " ${checked[*]} " == *" $article "* ]] || {
        echo "$article has Swift blocks, and scripts/readme-check.sh does not check them." >&2
        exit 1
    }
done
