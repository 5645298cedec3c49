// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cost of an operation while something grows: subscribers, plugins, keys, the state. The last column is the cost
/// at this size divided by the cost at the smallest size.
struct CliffsSection: Section {
    let id = "cliffs"
    let isShort: Bool

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let cliffs: [Cliff] =
            [
                .actionBytes,
                .actionContents,
                .concreteMiddlewares,
                .erasedMiddlewares,
                .subscribers,
                .producers,
                .stateInPlace,
                .statePublished,
                .arrayOfStrings,
                .dictionaryOfStrings,
                .treeOfStrings,
                .liftsOfReducers,
                .genericLiftsOfReducers,
                .liftsOfMiddlewares,
                .liftsToOptionals,
                .supervisedKeyAdded,
                .supervisedKeysKept,
                .cancelWhere,
                .cancelledSenders,
                .recursiveDiff,
                .leavingSubscribers,
                .leavingSubject,
                .selections,
                .plugins,
                .installing,
                .named,
                .composed,
            ] + Cliff.sizedLifts + [.alerts].compactMap { $0 }
        if Cliff.alerts == nil {
            let note = "cliffs: no row for --alert; build the tool: swift build -c release --product millrace\n"
            FileHandle.standardError.write(Data(note.utf8))
        }
        let mutex = LockRival.mutexInline(crew: try Crew(1))
        guard let yardstick = try await pairing.measure(mutex, runs: pairing.pairs) else {
            throw BenchmarkError.wrongResult(contender: mutex.name, expected: "times", found: "none")
        }
        var rows: [Row] = []
        for cliff in cliffs {
            rows += try await cliff.rows(isShort: isShort, mutex: yardstick.median, pairing.progress)
        }
        return [
            Table(
                title: "What grows: nanoseconds an operation at each size; amount = ratio to the first size",
                rows: rows
            ),
            Table(title: "The yardstick of the aims", rows: [Row(mutex.name, time: yardstick)]),
        ]
    }
}
