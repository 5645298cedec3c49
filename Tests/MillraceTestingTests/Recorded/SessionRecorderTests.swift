// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceRecords
import MillraceTesting
import Synchronization
import TestSupport
import Testing

@Suite("Recorded sessions of stores")
struct SessionRecorderTests {
    /// What every source file of this package begins with.
    private static let header = "// SPDX-License-Identifier: Apache-2.0\n\n"

    private func record(_ count: Int, room: Int) async -> (SessionRecorder<CartAction, Cart>, Cart) {
        let recorder = SessionRecorder(initialState: Cart(), reducer: cartReducer, room: room)
        let store = ReduxStoreBase(initialState: Cart(), reducer: cartReducer, middleware: recorder.middleware)
        for number in 0..<count { store.dispatch(cartAction(number)) }
        await store.drain()
        return (recorder, store.state)
    }

    @Test("a short session has all actions, and ends in the store's state")
    func short() async throws {
        let (recorder, state) = await record(500, room: 10_000)
        let session = await recorder.session()
        #expect(session.initialState == Cart())
        #expect(session.actions.map(\.action) == (0..<500).map(cartAction))
        #expect(session.actions.map(\.head.sequence) == (1...500).map(UInt64.init))
        #expect(session.actions.allSatisfy { $0.head.source?.line != 0 })
        #expect(try session.replay(cartReducer) == state)
        #expect(try session.finalHash == CanonicalHash(of: state))
    }

    @Test("a long session begins with the state before its first action", arguments: [1_024, 2_000, 20_000])
    func long(room: Int) async throws {
        let count = 60_000
        let (recorder, state) = await record(count, room: room)
        let session = await recorder.session()
        #expect(session.actions.count <= room + 2 * 1_024)
        let numbers = session.actions.map(\.head.sequence)
        #expect(numbers.last == UInt64(count) && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(session.initialState.changes == count - session.actions.count)
        #expect(session.state(after: session.actions.count, cartReducer) == state)
    }

    @Test("a session begins with the state that the store had, whatever the recorder was made with")
    func otherInitialState() async throws {
        var other = Cart()
        for number in 0..<7 { cartReducer.reduce(cartAction(number), &other) }
        let recorder = SessionRecorder(initialState: other, reducer: cartReducer)
        #expect(await recorder.session().initialState == other)
        let store = ReduxStoreBase(initialState: Cart(), reducer: cartReducer, middleware: recorder.middleware)
        for number in 0..<5 { store.dispatch(cartAction(number)) }
        await store.drain()
        let session = await recorder.session()
        #expect(session.initialState == Cart())
        #expect(try session.replay(cartReducer) == store.state)
    }

    @Test("a session that is taken while actions come has each action once")
    func meanwhile() async throws {
        let recorder = SessionRecorder(initialState: Cart(), reducer: cartReducer, room: 100_000)
        let store = ReduxStoreBase(initialState: Cart(), reducer: cartReducer, middleware: recorder.middleware)
        async let dispatching: Void = { for number in 0..<50_000 { store.dispatch(cartAction(number)) } }()
        for _ in 0..<20 {
            let numbers = await recorder.session(isHashed: false).actions.map(\.head.sequence)
            #expect(numbers == (0..<UInt64(numbers.count)).map { $0 + 1 })
        }
        await dispatching
    }

    @Test("a recorder whose queue stands still keeps a limited number of actions, and begins again")
    func behind() async throws {
        let room = 1_024
        let isBlocked = Shared(true)
        let blocked = Latch()
        // The recorder applies its reducer to the actions that it drops.
        let slow = Reducer<CountedAction, Int>.reduce { action, sum in
            if isBlocked.value { blocked.wait(nanoseconds: 600_000_000_000) }
            sum += action.number
        }
        let sum = Reducer<CountedAction, Int>.reduce { action, sum in sum += action.number }
        let recorder = SessionRecorder(initialState: 0, reducer: slow, room: room)
        let store = ReduxStoreBase(initialState: 0, reducer: sum, middleware: recorder.middleware)
        for round in 0..<50 {
            for number in 0..<2_000 { store.dispatch(CountedAction(round * 2_000 + number)) }
            await store.drain()
        }
        #expect(CountedAction.alive.load(ordering: .relaxed) <= 2 * room + 4_096)
        isBlocked.value = false
        blocked.open()
        let session = await recorder.session(isHashed: false)
        let numbers = session.actions.map(\.action.number)
        #expect(numbers.last == 99_999 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(session.initialState + numbers.reduce(0, +) == store.state)
    }

    /// An action that counts how many of its kind exist.
    private final class CountedAction: Sendable {
        static let alive = Atomic(0)
        let number: Int

        init(_ number: Int) {
            self.number = number
            Self.alive.add(1, ordering: .relaxed)
        }

        deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }

    @Test("a session is read from its file as it was recorded")
    func file() async throws {
        let (recorder, state) = await record(3_000, room: 1_024)
        let folder = FileManager.default.temporaryDirectory.appending(path: "millrace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let code = SessionTest(reducer: "cartReducer", actions: "cartActions()", states: "cartStates()")
        try await recorder.writeTest(
            "recordedCart",
            to: folder.path,
            actions: cartActions(),
            states: cartStates(),
            code: code
        )
        let read = try SessionFile.read(
            folder.appending(path: "recordedCart.mrs").path,
            actions: cartActions(),
            states: cartStates()
        )
        #expect(read.isComplete)
        #expect(try read.replay(cartReducer) == state)
        let written = try String(contentsOf: folder.appending(path: "recordedCart.swift"), encoding: .utf8)
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        if ProcessInfo.processInfo.environment["MILLRACE_WRITE_RECORDED"] != nil {
            try (Self.header + written).write(
                to: here.appending(path: "recordedCart.swift"),
                atomically: true,
                encoding: .utf8
            )
            try Data(contentsOf: folder.appending(path: "recordedCart.mrs")).write(
                to: here.appending(path: "recordedCart.mrs")
            )
        }
        // The file in this folder is compiled and run with the tests.
        let compiled = try String(contentsOf: here.appending(path: "recordedCart.swift"), encoding: .utf8)
        #expect(compiled == Self.header + written)
    }
}
