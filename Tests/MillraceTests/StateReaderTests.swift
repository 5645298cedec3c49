// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

@Suite("StateReader in a store", .timeLimit(.minutes(5)))
struct StateReaderTests {
    typealias Pair = StateTests.Pair

    /// Reads the state, a stored part and a computed part by the readers of its binding, wherever it is called.
    struct Looking: MiddlewareProtocol {
        let seen: Recorder<[Int]>
        /// Calls the argument, which looks, in the IO.
        var inIO: @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
        var readers: [@Sendable () -> Int] = []

        init(_ seen: Recorder<[Int]>) {
            self.seen = seen
        }

        mutating func bind(_ binding: MiddlewareBinding<Int, Pair>) {
            let (whole, stored) = (binding.state, binding.state.map(\.left))
            let computed = binding.state.map { $0.left * 2 }
            readers = [
                { whole.withState { $0.left } }, { stored.withState { $0 } }, { stored() },
                { computed.withState { $0 } }, { computed() },
            ]
        }

        func look() { seen.record(readers.map { $0() }) }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Pair>) -> IO<Int> {
            look()
            return IO { _ in inIO { look() } }
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Pair>,
            output: AnyActionHandler<Int>
        ) {
            look()
        }
    }

    @Test("reads the live state in handle, afterReduce and the IO, and parts of it", arguments: engines)
    func live(engine: StoreEngine) async {
        let seen = Recorder<[Int]>()
        let store = ReduxStoreBase(
            initialState: Pair(),
            reducer: StateTests.both,
            middleware: Looking(seen),
            engine: engine,
            publication: .atMost(every: .seconds(3_600))
        )
        store.dispatch(7)
        await store.drain()
        #expect(seen.all == [[0, 0, 0, 0, 0], [7, 7, 7, 14, 14], [7, 7, 7, 14, 14]])
    }

    @Test("reads the published state on another thread, although the live one is newer")
    func otherThread() async {
        let seen = Recorder<[Int]>()
        var looking = Looking(seen)
        looking.inIO = { look in onThreads(1) { _ in look() } }
        let store = ReduxStoreBase(
            initialState: Pair(),
            reducer: StateTests.both,
            middleware: looking,
            engine: .thread(),
            publication: .atMost(every: .seconds(3_600))
        )
        store.dispatch(7)
        await store.drain()
        // Nothing is published before the IO of the first action.
        #expect(seen.all == [[0, 0, 0, 0, 0], [7, 7, 7, 14, 14], [0, 0, 0, 0, 0]])
    }

    @Test("stops the program if a reducer reads its own state by a reader", arguments: [false, true])
    func inReducer(isPart: Bool) async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [isPart] in
            let reader = Shared<(@Sendable () -> Int)?>(nil)
            let store = ReduxStoreBase(
                initialState: Pair(),
                reducer: Reducer<Int, Pair>.reduce { _, pair in pair.left = reader.value!() },
                middleware: Keeping(reader, isPart),
                engine: .caller
            )
            store.dispatch(1)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("the state of a store was read inside its own reducer"))
    }

    /// Gives its reader away.
    struct Keeping: MiddlewareProtocol {
        let reader: Shared<(@Sendable () -> Int)?>
        let isPart: Bool

        init(_ reader: Shared<(@Sendable () -> Int)?>, _ isPart: Bool) {
            self.reader = reader
            self.isPart = isPart
        }

        mutating func bind(_ binding: MiddlewareBinding<Int, Pair>) {
            let (whole, part) = (binding.state, binding.state.map(\.left))
            let isPart = isPart
            reader.value = { isPart ? part.withState { $0 } : whole.withState { $0.left } }
        }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Pair>) -> IO<Int> { .pure() }
    }
}
