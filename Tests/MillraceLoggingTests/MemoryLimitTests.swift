// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Millrace
import MillraceLogging
import MillraceRuntime
import TestSupport
import Testing

/// What waits to be formatted is bounded: the queue of these tests is stopped, so that all of it waits.
@Suite("Logger: what waits is bounded", .timeLimit(.minutes(5)))
struct MemoryLimitTests {
    private let lines = Lines()
    private let log = ActionLog()
    private let queue = DispatchQueue(label: "stopped")

    /// One for each state that is kept alive.
    final class Token: Sendable {
        private let alive: Shared<Int>
        init(_ alive: Shared<Int>) {
            self.alive = alive
            alive.update { $0 += 1 }
        }
        deinit { alive.update { $0 -= 1 } }
    }

    struct Numbers: Sendable {
        var list = Array(0..<100_000)
        var count = 0
        var token: Token?
    }

    private func makeStore<State>(
        _ initial: sending State,
        _ transform: LoggerMiddleware<Int, State>.StateDiffTransform? = nil,
        _ memory: LogMemoryLimit = LogMemoryLimit(),
        filter: (@Sendable (Int) -> Bool)? = nil,
        clock: HandClock? = nil,
        change: @escaping @Sendable (Int, inout State) -> Void
    ) -> ReduxStoreBase<Int, State> {
        let now: @Sendable () -> Ticks = if let clock { clock.read } else { { Ticks.now } }
        return ReduxStoreBase<Int, State>(
            initialState: initial,
            reducer: .reduce { action, state in change(action, &state) },
            middleware: IdentityMiddleware<Int, Int, State>().logger(
                actionTransform: .custom { action, _ in "\(action)" },
                actionPrinter: lines.printer,
                actionFilter: filter,
                stateDiffTransform: transform ?? .recursive(prefixLines: "> ", stateName: "S", spelling: .indexed),
                stateDiffPrinter: lines.printer,
                queue: queue,
                memory: memory,
                log: log,
                clock: now
            ),
            engine: .caller,
            publication: .onDemand
        )
    }

    @Test("a limit prints its numbers with their units")
    func description() {
        #expect("\(LogMemoryLimit())" == "64.0 MiB, 4,096 changes, 256.0 MiB copied per second")
        #expect(
            "\(LogMemoryLimit(bytes: 100, changes: 0, copiedPerSecond: nil))" == "100 B, 1 change, no limit on copies"
        )
    }

    @Test("a large state that changes with each action: few are kept, the other actions are logged without a change")
    func largeState() async {
        let alive = Shared(0)
        queue.suspend()
        let store = makeStore(Numbers(), nil, LogMemoryLimit(bytes: 8 << 20)) { action, state in
            state.list[action] = -1
            state.token = Token(alive)
        }
        for action in 0..<300 { store.dispatch(action) }
        // Of 800 kB each.
        #expect(alive.value <= 13, "and the store's own")
        #expect(log.metrics.changesLeftOut >= 288)
        queue.resume()
        await log.flush()
        #expect(log.metrics.written == 300 && log.metrics.skipped == 0)
        #expect(lines.all.starts(with: ["0", "> S.list[0]: 0 → -1"]))
        #expect(lines.all.last?.hasPrefix("> change left out, as ") == true, "\(lines.all.suffix(1))")
        #expect(lines.all.filter { $0.hasPrefix("> change left out, as ") }.count == log.metrics.changesLeftOut)
        store.dispatch(1_000)
        await log.flush()
        #expect(lines.all.last == "> S.list[1000]: 1000 → -1", "there is room again")
    }

    @Test("a large state of which little changes: what is shared is not counted")
    func sharedState() async {
        queue.suspend()
        let store = makeStore(Numbers(), nil, LogMemoryLimit(bytes: 1 << 20, changes: 1_000)) { action, state in
            state.count = action
        }
        for action in 1...900 { store.dispatch(action) }
        #expect(log.metrics.changesLeftOut == 0)
        queue.resume()
        await log.flush()
        #expect(lines.all.last == "> S.count: 899 → 900")
    }

    @Test("actions that begin to be large while nothing is formatted are noticed")
    func largeActions() async {
        let store = ReduxStoreBase<[UInt8], Int>(
            initialState: 0,
            reducer: .reduce { _, count in count += 1 },
            middleware: IdentityMiddleware<[UInt8], [UInt8], Int>().logger(
                actionTransform: .custom { action, _ in "\(action.count)" },
                actionPrinter: lines.printer,
                queue: queue,
                memory: LogMemoryLimit(bytes: 8 << 20),
                log: log
            ),
            engine: .caller,
            publication: .onDemand
        )
        queue.suspend()
        for _ in 0..<100 { store.dispatch([1]) }
        for number in 0..<400 { store.dispatch([UInt8](repeating: UInt8(number & 7), count: 1 << 20)) }
        // Until the pipeline has measured a large one, which takes it one in 63 at the latest.
        #expect(log.metrics.skipped > 370)
        queue.resume()
        await log.flush()
        #expect(log.metrics.written + log.metrics.skipped == 500)
    }

    @Test("a state that begins to change much while nothing is formatted is noticed")
    func phases() async {
        queue.suspend()
        let alive = Shared(0)
        let store = makeStore(Numbers(), nil, LogMemoryLimit(bytes: 8 << 20)) { action, state in
            if action < 100 { state.count = action } else { state.list[action] = -1 }
            state.token = Token(alive)
        }
        for action in 0..<500 { store.dispatch(action) }
        #expect(log.metrics.changesLeftOut > 300)
        #expect(alive.value < 200)
        queue.resume()
        await log.flush()
        #expect(log.metrics.written == 500)
    }

    @Test("as many changes wait as the limit says", arguments: [1, 3, 8])
    func changes(most: Int) async {
        queue.suspend()
        let store = makeStore(0, nil, LogMemoryLimit(changes: most)) { action, state in state = action }
        for action in 1...10 { store.dispatch(action) }
        #expect(log.metrics.changesLeftOut == 10 - UInt64(most))
        queue.resume()
        await log.flush()
        let left = "> change left out, as \(most) \(most == 1 ? "change" : "changes") waited already"
        let expected = (1...10).flatMap { ["\($0)", $0 > most ? left : "> S: \($0 - 1) → \($0)"] }
        #expect(lines.all == expected)
    }

    @Test("odd limits stop nothing, and one change may always wait", arguments: [Int.min, -1, 0, 1, .max])
    func oddLimits(number: Int) async {
        let limit = LogMemoryLimit(bytes: number, changes: number == .max ? 10 : number, copiedPerSecond: number)
        let store = makeStore(Numbers(), nil, limit) { action, state in state.list[action] = -1 }
        store.dispatch(1)
        await log.flush()
        #expect(lines.all == ["1", "> S.list[1]: 1 → -1"])
        store.dispatch(2)
        await log.flush()
        #expect(log.metrics.written == 2)
    }

    @Test("what is copied a second is bounded by the clock that was given", arguments: [100_000, 130])
    func copying(numbers: Int) async {
        let clock = HandClock()
        // A change is a tenth of it; a quarter may come at once.
        let limit = LogMemoryLimit(copiedPerSecond: 80 * numbers)
        let state = Numbers(list: Array(0..<numbers))
        let store = makeStore(state, nil, limit, clock: clock) { action, state in state.list[action] = -1 }
        for action in 1...6 {
            store.dispatch(action)
            await log.flush()
        }
        let left = "> change left out, as too much of the state was copied for the log"
        #expect(lines.all.suffix(4) == ["5", left, "6", left], "\(lines.all)")
        #expect(log.metrics.changesLeftOut == 2)
        clock.advance(by: .milliseconds(100))
        store.dispatch(7)
        await log.flush()
        #expect(lines.all.suffix(2) == ["7", "> S.list[7]: 7 → -1"])
        // Time that passed before a step of the clock counts, and what passes after it.
        clock.advance(by: .seconds(7_200))
        store.dispatch(8)
        clock.stepBack(by: .seconds(3_600))
        for action in 9...14 {
            store.dispatch(action)
            await log.flush()
        }
        #expect(lines.all.suffix(2) == ["14", left])
        clock.advance(by: .milliseconds(100))
        store.dispatch(15)
        await log.flush()
        #expect(lines.all.suffix(2) == ["15", "> S.list[15]: 15 → -1"])
    }

    @Test("changes of up to 1 KiB are not counted")
    func copyingLittle() async {
        let limit = LogMemoryLimit(copiedPerSecond: 1)
        let state = Numbers(list: Array(0..<120))
        let store = makeStore(state, nil, limit, clock: HandClock()) { action, state in state.list[action] = -1 }
        for action in 1...20 {
            store.dispatch(action)
            await log.flush()
        }
        #expect(log.metrics.changesLeftOut == 0)
        #expect(log.metrics.written == 20)
    }

    // MARK: Measurements of the pipeline

    @Test("large changes after small ones: fewer than six enter on an old estimate", arguments: [1, 7, 62, 200, 1_000])
    func growing(smalls: Int) async {
        queue.suspend()
        let (alive, clock) = (Shared(0), HandClock())
        // Ten of them may wait, but more small ones do.
        let limit = LogMemoryLimit(bytes: 8 << 20, copiedPerSecond: nil)
        let store = makeStore(Numbers(list: []), .custom { _, _ in nil }, limit, clock: clock) { action, state in
            guard action > smalls else { return state.count = action }
            state.list = Array(repeating: action, count: 100_000)
            state.token = Token(alive)
            clock.advance(by: .milliseconds(1))
        }
        for action in 1...smalls + 200 { store.dispatch(action) }
        #expect(alive.value <= max(0, 10 - smalls) + 6, "and the store's own")
        queue.resume()
        await log.flush()
    }

    @Test("changes that alternate: the larger ones count")
    func alternating() async {
        queue.suspend()
        let (alive, clock) = (Shared(0), HandClock())
        let limit = LogMemoryLimit(bytes: 8 << 20, copiedPerSecond: nil)
        let store = makeStore(Numbers(list: []), .custom { _, _ in nil }, limit, clock: clock) { action, state in
            clock.advance(by: .milliseconds(1))
            guard action % 2 == 0 else { return state.count = action }
            state.list = Array(repeating: action, count: 100_000)
            state.token = Token(alive)
        }
        for action in 1...200 { store.dispatch(action) }
        #expect(alive.value <= 13, "and the store's own")
        queue.resume()
        await log.flush()
    }

    @Test("large actions after small ones: fewer than six enter on an old estimate", arguments: [1, 62, 200])
    func growingActions(smalls: Int) async {
        let clock = HandClock()
        let store = ReduxStoreBase<[UInt8], Int>(
            initialState: 0,
            reducer: .reduce { action, _ in if action.count > 1 { clock.advance(by: .milliseconds(1)) } },
            middleware: IdentityMiddleware<[UInt8], [UInt8], Int>().logger(
                actionTransform: .custom { action, _ in "\(action.count)" },
                actionPrinter: lines.printer,
                queue: queue,
                memory: LogMemoryLimit(bytes: 8 << 20),
                log: log,
                clock: clock.read
            ),
            engine: .caller,
            publication: .onDemand
        )
        queue.suspend()
        for _ in 0..<smalls { store.dispatch([1]) }
        for number in 0..<100 { store.dispatch([UInt8](repeating: UInt8(number), count: 1 << 20)) }
        #expect(log.metrics.skipped >= UInt64(100 - max(0, 8 - smalls) - 5), "\(log.metrics)")
        queue.resume()
        await log.flush()
    }

    /// Counts how often it is measured.
    struct Measured: CustomReflectable, Sendable {
        let times: Shared<Int>
        var list: [Int] = [1]
        var customMirror: Mirror {
            times.update { $0 += 1 }
            return Mirror(self, children: ["list": list])
        }
    }

    @Test("the pipeline measures one change in 63 while no time passes, and asks for the time at one in three")
    func measuring() async {
        queue.suspend()
        let (times, asked) = (Shared(0), Shared(0))
        let store = ReduxStoreBase<Int, Measured>(
            initialState: Measured(times: times),
            reducer: .reduce { action, state in state.list[0] = action },
            middleware: IdentityMiddleware<Int, Int, Measured>().logger(
                actionPrinter: .custom { _ in },
                stateDiffTransform: .custom { _, _ in nil },
                stateDiffPrinter: .custom { _ in },
                queue: queue,
                log: log,
                clock: {
                    asked.update { $0 += 1 }
                    return Ticks(rawValue: 1_000_000_000)
                }
            ),
            engine: .caller
        )
        for action in 1...3_000 { store.dispatch(action) }
        // Two mirrors each, of both states.
        #expect((2 * 40...2 * 52).contains(times.value), "\(times.value)")
        #expect((900...1_100).contains(asked.value), "\(asked.value)")
        queue.resume()
        await log.flush()
    }

    @Test("no clock is asked where states and actions hold no memory")
    func clockless() async {
        let asked = Shared(0)
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { action, state in state = action },
            middleware: IdentityMiddleware<Int, Int, Int>().logger(
                actionPrinter: .custom { _ in },
                stateDiffTransform: .recursive(stateName: "S", spelling: .indexed),
                stateDiffPrinter: .custom { _ in },
                log: log,
                clock: {
                    asked.update { $0 += 1 }
                    return .now
                }
            ),
            engine: .caller
        )
        for action in 1...50 { store.dispatch(action) }
        await log.flush()
        #expect(asked.value == 0 && log.metrics.written == 50)
    }

    @Test("a state that actions change that are not logged counts twice, once before and once after")
    func gaps() async {
        func leftOut(_ filter: (@Sendable (Int) -> Bool)?) async -> UInt64 {
            let test = MemoryLimitTests()
            test.queue.suspend()
            let store = test.makeStore(Numbers(), nil, LogMemoryLimit(bytes: 16 << 20), filter: filter) {
                $1.list[$0] = -1
            }
            for action in 1...200 { store.dispatch(action) }
            test.queue.resume()
            await test.log.flush()
            return test.log.metrics.changesLeftOut
        }
        let all = await leftOut(nil)
        let half = await leftOut { $0 % 2 == 0 }
        #expect((170...190).contains(all), "\(all) of 200")
        #expect((85...95).contains(half), "\(half) of 100")
    }

    @Test("actions with large payloads are skipped when they would hold too much")
    func actions() async {
        queue.suspend()
        let store = ReduxStoreBase<[Int], Int>(
            initialState: 0,
            reducer: .reduce { action, state in state = action.count },
            middleware: IdentityMiddleware<[Int], [Int], Int>().logger(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                queue: queue,
                memory: LogMemoryLimit(bytes: 4 << 20),
                log: log
            ),
            engine: .caller
        )
        for number in 0..<100 { store.dispatch(Array(repeating: number, count: 100_000)) }
        #expect((90..<100).contains(log.metrics.skipped), "\(log.metrics)")
        queue.resume()
        await log.flush()
        #expect(log.metrics.written + log.metrics.skipped == 100)
        #expect(lines.all.last == "skipped \(log.metrics.skipped) actions, as the log was full")
    }

    @Test("the new state alone holds no state before")
    func newStateOnly() async {
        let alive = Shared(0)
        queue.suspend()
        let store = makeStore(Numbers(list: []), .newStateOnly, filter: { $0 % 10 == 0 }) { action, state in
            state.token = Token(alive)
        }
        for action in 0..<100 { store.dispatch(action) }
        #expect(alive.value == 11, "ten that are logged, and the store's own")
        queue.resume()
        await log.flush()
    }

    // MARK: The estimate

    struct Row: Identifiable, Sendable {
        let id: Int
        var text: String
    }

    /// Each copies about a megabyte an action.
    enum Shape: String, CaseIterable {
        case array, strings, nested, dictionary, values, set, text, bytes, keyed, optional, payload
    }

    enum Payload: Sendable { case none, some(list: [Int], name: String) }

    struct Shapes: Sendable {
        var array: [Int] = []
        var strings: [String] = []
        var nested: [[Int]] = []
        var dictionary: [Int: Int] = [:]
        var values: [String: [Int]] = [:]
        var set: Set<Int> = []
        var text = ""
        var bytes = Data()
        var keyed = KeyedArray<Row>()
        var optional: [Int]??
        var payload = Payload.none

        init(_ shape: Shape) {
            let list = Array(0..<131_072)
            switch shape {
            case .array: array = list
            case .strings: strings = Array(repeating: "some", count: 65_536)
            case .nested: nested = Array(repeating: list, count: 100)
            case .dictionary: dictionary = Dictionary(uniqueKeysWithValues: (0..<49_152).map { ($0, $0) })
            case .values: values = ["a": list, "b": list]
            case .set: set = Set(0..<98_304)
            case .text: text = String(repeating: "x", count: 1 << 20)
            case .bytes: bytes = Data(repeating: 1, count: 1 << 20)
            case .keyed: keyed = KeyedArray((0..<32_768).map { Row(id: $0, text: "") })
            case .optional: optional = list
            case .payload: payload = .some(list: list, name: "a")
            }
        }

        mutating func change(_ shape: Shape, _ number: Int) {
            switch shape {
            case .array: array[number] = -1
            case .strings: strings[number] = "x"
            case .nested: nested[70][number] = -1
            case .dictionary: dictionary[number] = -1
            case .values: values["a"]?[number] = -1
            case .set: set.remove(number)
            case .text: text += "x"
            case .bytes: bytes[number] = 2
            case .keyed: keyed[number].text = "x"
            case .optional: optional??[number] = -1
            case .payload: payload = .some(list: Array(repeating: number, count: 131_072), name: "b")
            }
        }
    }

    @Test("the estimate is of the right size, whatever holds the memory", arguments: Shape.allCases)
    func estimate(shape: Shape) async {
        queue.suspend()
        // A closure looks at nothing, so that the test is quick.
        let store = makeStore(Shapes(shape), .custom { _, _ in nil }, LogMemoryLimit(bytes: 20 << 20)) {
            action,
            state in
            state.change(shape, action)
        }
        for action in 1...60 { store.dispatch(action) }
        let waiting = 60 - log.metrics.changesLeftOut
        #expect((9...42).contains(waiting), "\(waiting) of \(shape) wait, 20 are expected")
        queue.resume()
        await log.flush()
    }
}
