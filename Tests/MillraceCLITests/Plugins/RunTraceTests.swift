// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import Testing

@testable import MillraceCLI

/// What is missing in a trace is told.
@Suite struct RunTraceTests {
    private let scratch = Scratch()

    private func follow(maximumBytes: Int, room: Int = 4096) async throws -> RunTrace.Ending {
        let trace = try RunTrace(path: "\(scratch.path)/trace.json", maximumBytes: maximumBytes)
        let store = LogStore(initialState: LogState(producers: 1, maximumKeys: 10), reducer: .accessLog)
        let instrumentation = Instrumentation(store, kinds: .accessLog, traceRoom: room)
        await store.drain()
        for _ in 0..<100 { store.dispatch(.inputEnded) }
        await store.drain()
        let following = Task { await trace.follow(instrumentation) }
        following.cancel()
        return await following.value
    }

    @Test func nothingIsSaidOfAWholeTrace() async throws {
        let ending = try await follow(maximumBytes: 1 << 20)
        #expect(ending.loss == nil && ending.problem == nil)
    }

    @Test func whatFoundNoRoomIsCounted() async throws {
        let loss = try #require(try await follow(maximumBytes: 4096).loss)
        #expect(loss.hasSuffix(" were left out because the file may have 4.0 KiB at most"), "\(loss)")
        #expect(loss.firstMatch(of: /^the trace lacks [1-9][0-9]* events: [0-9]+ were left out/) != nil, "\(loss)")
        let missed = try #require(try await follow(maximumBytes: 1 << 20, room: 16).loss)
        #expect(
            missed.firstMatch(of: /^the trace lacks .* overwritten in memory before they could be written$/) != nil,
            "\(missed)"
        )
    }
}
