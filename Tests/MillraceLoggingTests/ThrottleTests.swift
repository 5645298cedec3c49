// SPDX-License-Identifier: Apache-2.0

import Logging
import Millrace
import MillraceLogging
import MillraceRuntime
import TestSupport
import Testing

@Suite("Logger: sampling and rate limit", .timeLimit(.minutes(5)))
struct ThrottleTests {
    private let lines = Lines()
    private let log = ActionLog()
    private let clock = HandClock()

    private func makeThrottled(_ sampling: LogSampling, _ limit: LogRateLimit? = nil) -> CartStore {
        CartStore(
            initialState: Cart(),
            reducer: cartReducer,
            middleware: nothing.logger(
                actionTransform: .custom { action, _ in
                    if case .item(.mark(let number)) = action { "\(number)" } else { "?" }
                },
                actionPrinter: lines.printer,
                sampling: sampling,
                rateLimit: limit,
                log: log,
                clock: clock.read
            ),
            engine: .caller
        )
    }

    private func dispatch(_ numbers: Range<Int>, to store: CartStore) async {
        for number in numbers { store.dispatch(.item(.mark(number))) }
        await log.flush()
    }

    @Test("one in n: the first, and then every nth")
    func oneIn() async {
        let store = makeThrottled(.oneIn(4))
        await dispatch(0..<10, to: store)
        #expect(lines.all == ["0", "4", "8"])
        #expect(log.metrics.sampledOut == 7 && log.metrics.written == 3)
    }

    @Test("one in one, in none or in less is each", arguments: [1, 0, -3])
    func oneInOne(count: Int) async {
        await dispatch(0..<5, to: makeThrottled(.oneIn(count)))
        #expect(lines.all.count == 5 && log.metrics.sampledOut == 0)
    }

    @Test("the first n of each second")
    func firstPerSecond() async {
        let store = makeThrottled(.firstPerSecond(2))
        await dispatch(0..<5, to: store)
        clock.advance(by: .milliseconds(999))
        await dispatch(5..<7, to: store)
        clock.advance(by: .milliseconds(2))
        await dispatch(7..<10, to: store)
        clock.advance(by: .seconds(3600))
        await dispatch(10..<11, to: store)
        #expect(lines.all == ["0", "1", "7", "8", "10"])
        #expect(log.metrics.sampledOut == 6)
    }

    @Test("the first none of each second is none")
    func noneOfASecond() async {
        await dispatch(0..<5, to: makeThrottled(.firstPerSecond(0)))
        #expect(lines.all.isEmpty && log.metrics.sampledOut == 5)
    }

    @Test("a rate limit: a burst, and then one whenever its time has come")
    func rateLimit() async {
        let store = makeThrottled(.all, LogRateLimit(perSecond: 10, burst: 3))
        await dispatch(0..<5, to: store)
        #expect(lines.all == ["0", "1", "2"])
        clock.advance(by: .milliseconds(99))
        await dispatch(5..<6, to: store)
        clock.advance(by: .milliseconds(2))
        await dispatch(6..<8, to: store)
        #expect(lines.all == ["0", "1", "2", "6"])
        clock.advance(by: .seconds(100))
        await dispatch(8..<13, to: store)
        #expect(lines.all == ["0", "1", "2", "6", "8", "9", "10"], "no more than a burst after a rest")
        #expect(log.metrics.limited == 6 && log.metrics.written == 7)
    }

    @Test("in the long run it is the rate", arguments: [1, 7, 1_000])
    func longRun(perSecond: Int) async {
        let store = makeThrottled(.all, LogRateLimit(perSecond: perSecond, burst: 1))
        for number in 0..<20_000 {
            store.dispatch(.item(.mark(number)))
            clock.advance(by: .milliseconds(1))
            if number % 1_000 == 0 { await log.flush() }
        }
        await log.flush()
        // One after each full interval; a thousand a second is just the rate at which they come.
        let expected = 20 * perSecond
        #expect(abs(Int(log.metrics.written) - expected) <= max(1, expected / 100))
        #expect(log.metrics.written + log.metrics.limited == 20_000)
    }

    @Test("a limit of none lets none pass")
    func noRate() async {
        await dispatch(0..<5, to: makeThrottled(.all, LogRateLimit(perSecond: 0)))
        #expect(lines.all.isEmpty && log.metrics.limited == 5)
    }

    @Test("a limit that was changed to odd numbers stops nothing", arguments: [0, -1, .min, .max])
    func oddLimits(number: Int) async {
        var limit = LogRateLimit(perSecond: 1)
        limit.burst = number
        await dispatch(0..<5, to: makeThrottled(.all, limit))
        #expect(log.metrics.written == (number == .max ? 5 : 1))
        limit.perSecond = number
        await dispatch(0..<5, to: makeThrottled(.all, limit))
        #expect(log.metrics.limited == (number == .max ? 0 : 9))
        await dispatch(0..<5, to: makeThrottled(.oneIn(number), limit))
        await dispatch(0..<5, to: makeThrottled(.firstPerSecond(number), limit))
        let metrics = log.metrics
        #expect(metrics.written + metrics.limited + metrics.sampledOut == 20)
    }

    @Test("the limit counts only what the sampling chose")
    func both() async {
        await dispatch(0..<20, to: makeThrottled(.oneIn(5), LogRateLimit(perSecond: 1, burst: 2)))
        #expect(lines.all == ["0", "5"])
        #expect(log.metrics.sampledOut == 16 && log.metrics.limited == 2)
    }

    @Test("inside a lift to elements each store counts for itself, as outside of one")
    func elements() async {
        let element = nothing.logger(
            actionTransform: .custom { action, _ in action == .clear ? "clear" : "?" },
            actionPrinter: lines.printer,
            sampling: .oneIn(100),
            log: log
        )
        let lifted = element.liftToDictionary(
            inputAction: { (action: CartAction) in ElementIDAction(id: "a", action: action) },
            outputAction: { (element: ElementIDAction<String, CartAction>) in element.action },
            state: { (carts: [String: Cart]) in carts }
        )
        for _ in 1...3 {
            let store = ReduxStoreBase(
                initialState: ["a": Cart()],
                reducer: Reducer<CartAction, [String: Cart]>.reduce { _, _ in },
                middleware: lifted,
                engine: .caller
            )
            for _ in 1...5 { store.dispatch(.clear) }
            await log.flush()
        }
        #expect(lines.all == ["clear", "clear", "clear"])
        #expect(log.metrics.sampledOut == 12)
    }

    @Test("where nothing else needs the time, the memory limit asks for it at one logged action in three")
    func clockless() async {
        let asked = Shared(0)
        let store = makeStore(
            nothing.logger(
                actionPrinter: lines.printer,
                sampling: .oneIn(2),
                log: log,
                clock: {
                    asked.update { $0 += 1 }
                    return .now
                }
            )
        )
        await dispatch(0..<10, to: store)
        await store.drain()
        // Of five that are logged; a measurement asks once more.
        #expect(asked.value <= 2)
    }
}
