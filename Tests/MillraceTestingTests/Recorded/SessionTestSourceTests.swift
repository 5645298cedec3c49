// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceRecords
import MillraceTesting
import Testing

/// A state without a canonical hash, though it can be written.
private final class Cache: Codable, Sendable {}
private struct Uncounted: Codable, Sendable {
    var cache = Cache()
}

@Suite("Tests that are written from sessions")
struct SessionTestSourceTests {
    private let code = SessionTest(reducer: "cartReducer", actions: "cartActions()", states: "cartStates()")

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "millrace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    /// Writes a test, and returns the error.
    private func errorOfWriting<State: Codable & Sendable>(
        _ recorder: SessionRecorder<CartAction, State>,
        to folder: String
    ) async -> (any Error)? {
        do {
            let states = try CodableCodec<State>(version: 1)
            try await recorder.writeTest("cart", to: folder, actions: cartActions(), states: states, code: code)
            return nil
        } catch { return error }
    }

    private func recorded() async -> SessionRecorder<CartAction, Cart> {
        let recorder = SessionRecorder(initialState: Cart(), reducer: cartReducer)
        let store = ReduxStoreBase(initialState: Cart(), reducer: cartReducer, middleware: recorder.middleware)
        store.dispatch(cartAction(1))
        await store.drain()
        return recorder
    }

    @Test("it requires the whole recording and its hash")
    func whole() {
        let source = code.source("cart", file: "cart.mrs")
        #expect(source.contains("try #require(session.isComplete"))
        #expect(source.contains("let hash = try #require(session.finalHash)"))
    }

    @Test(
        "its name is a name",
        arguments: [
            ("class", "sessionclass"), ("init", "sessioninit"), ("_", "session_"), ("", "session"),
            ("1st", "session1st"), ("after refund", "after_refund"), ("cart", "cart"),
        ]
    )
    func names(_ name: String, _ function: String) {
        #expect(code.source(name, file: "a.mrs").contains("func \(function)() throws {"))
    }

    @Test("the name of the file may hold every character")
    func quotes() {
        let file = #"a"b\(c).mrs"#
        #expect(code.source("a", file: file).contains(#"appending(path: "a\"b\\(c).mrs")"#))
    }

    @Test("a state without a canonical hash gives no test, as it would compare nothing")
    func noHash() async throws {
        let reducer = Reducer<CartAction, Uncounted>.identity
        let recorder = SessionRecorder(initialState: Uncounted(), reducer: reducer)
        try await inFolder { folder in
            let error = await errorOfWriting(recorder, to: folder) as? CanonicalHashError
            #expect(error?.path == "Uncounted.cache")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == [])
        }
    }

    @Test("a test that is there stays as it is")
    func existing() async throws {
        let recorder = await recorded()
        try await inFolder { folder in
            try "// mine".write(toFile: folder + "/cart.swift", atomically: true, encoding: .utf8)
            let error = await errorOfWriting(recorder, to: folder) as? RecordFileError
            #expect(error == .exists(path: folder + "/cart.swift"))
            #expect(try String(contentsOfFile: folder + "/cart.swift", encoding: .utf8) == "// mine")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == ["cart.swift"])
        }
    }

    @Test("a session whose reducer depends on the time ends in the same state")
    func timed() async throws {
        let reducer = Reducer<CartAction, [Int64]>.reduceAt { _, time, state in
            state.append(time.nanosecondsSince1970)
        }
        let recorder = SessionRecorder(initialState: [], reducer: reducer)
        let recording = ReduxStoreBase(initialState: [], reducer: reducer, middleware: recorder.middleware)
        for number in 0..<5 { recording.dispatch(cartAction(number)) }
        await recording.drain()
        let session = await recorder.session()
        // As the source does it.
        let store = TestStore(initialState: session.initialState, reducer: reducer)
        store.exhaustivity = .off
        for recorded in session.actions { store.send(recorded.action, at: recorded.head.time) }
        store.finish()
        #expect(try CanonicalHash(of: store.state) == session.finalHash)
        #expect(store.state == recording.state)
    }
}
