// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import Testing

@Suite("Sources of breadcrumbs")
struct SourceCacheTests {
    @Test("of two places that share an entry of the cache, each keeps its own texts")
    func collisions() async throws {
        // More pairs than the cache has entries.
        let files: [StaticString] = ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"]
        let functions: [StaticString] = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8", "g9"]
        let store = jobStore(.caller)
        let flight = try FlightRecorder(capacity: 128)
        let instrumentation = Instrumentation(store, flight: flight)
        var wanted: [String] = []
        for file in files {
            for function in functions {
                store.dispatch(.small, file: file, function: function, line: 1)
                wanted.append("\(file) \(function)")
            }
        }
        _ = await instrumentation.snapshot()
        let found = flight.breadcrumbs.actions.map { "\($0.file ?? "") \($0.function ?? "")" }
        #expect(found == wanted)
    }
}
