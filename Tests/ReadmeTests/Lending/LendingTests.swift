// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// The middleware unit tests of an ordinary SwiftRex app, in Swift 6 mode: the state closures read and change variables of
/// the test, and `self`, and the state function of a double is passed by its name. None of this gives even a warning.
/// (Closures that a store would keep, as in `MiddlewareReader { }`, give warnings: Tests/Clients has such a suite.)
@Suite("Readme: unit tests that capture variables")
final class LendingTests {
    private final class MockDesk: Desk {
        let lent = Recorder<Int>()
        let answer = Shared<Result<Int, DeskError>?>(nil)

        func lend(_ book: Int, completion: @escaping @Sendable (Result<Int, DeskError>) -> Void) {
            lent.record(book)
            completion(answer.value ?? .success(book))
        }
    }

    /// What a test may have in place of a store.
    private final class StoreDouble {
        var state = LoanState()
        private(set) var reads = 0

        func getState() -> LoanState {
            reads += 1
            return state
        }
    }

    private var state = LoanState()
    private var reads = 0
    private let outputs = Recorder<LoanAction>()
    private let desk = MockDesk()
    private lazy var sut = LoanMiddleware(desk: desk)

    private func record(_ io: IO<LoanAction>) { io.run { [outputs] in outputs.record($0.action) } }

    @Test("a captured variable is read and changed in the state closure")
    func capturedVariables() {
        var state = LoanState()
        var reads = 0
        let io = sut.handle(
            action: .borrow(7),
            from: .here(),
            state: {
                reads += 1
                return state
            }
        )
        #expect(reads == 1 && desk.lent.count == 0)
        state.isClosed = true
        record(io)
        #expect(outputs.all == [.refused("closed")] && reads == 2)
        state.isClosed = false
        record(io)
        #expect(outputs.all == [.refused("closed"), .borrowed(7)])
        #expect(desk.lent.all == [7] && sut.attempts == 1)
        state.books = [7]
        record(sut.handle(action: .borrow(7), from: .here()) { state })
        #expect(desk.lent.all == [7])
    }

    @Test("self is captured in the state closure, with a source of the test's own")
    func capturedSelf() {
        desk.answer.value = .failure(DeskError(reason: "lost"))
        record(sut.handle(action: .borrow(1), from: .here(), state: { self.state }))
        let sources = Recorder<ActionSource>()
        state.isClosed = true
        sut.handle(
            action: .borrow(1),
            from: .init(file: "Tests.swift", function: "test()", line: 3, info: nil),
            state: { [unowned self] in
                reads += 1
                return state
            }
        )
        .run { sources.record($0.dispatcher) }
        #expect(outputs.all == [.refused("lost")] && reads == 2)
        #expect(sources.all == [ActionSource(file: "Tests.swift", function: "test()", line: 3, info: nil)])
    }

    @Test("the source of .here() is the line of the test")
    func here() {
        let sources = Recorder<ActionSource>()
        let line: UInt = #line + 1
        sut.handle(action: .borrow(1), from: .here(info: "x"), state: { LoanState(isClosed: true) })
            .run { sources.record($0.dispatcher) }
        #expect(sources.all == [ActionSource(file: #fileID, function: #function, line: line, info: "x")])
    }

    @Test("the state function of a store's double, by its name, and one in a constant")
    func storeDouble() {
        let store = StoreDouble()
        store.state.books = [1, 2]
        record(sut.handle(action: .borrow(1), from: .here(), state: store.getState))
        #expect(desk.lent.count == 0 && store.reads == 1)
        let getState = { store.state }
        record(sut.handle(action: .borrow(3), from: .here(), state: getState))
        #expect(outputs.all == [.borrowed(3)])
    }

    @Test("the same of the main actor")
    @MainActor
    func mainActor() {
        final class MainStore {
            var state = LoanState()
            func getState() -> LoanState { state }
        }
        let store = MainStore()
        var count = 0
        let sut = LoanMiddleware(desk: desk)
        record(sut.handle(action: .borrow(1), from: .here(), state: store.getState))
        record(
            sut.handle(
                action: .borrow(2),
                from: .here(),
                state: {
                    count += 1
                    return store.state
                }
            )
        )
        #expect(outputs.all == [.borrowed(1), .borrowed(2)] && count == 2)
    }

    @Test("an effect middleware, erased, lifted and composed ones")
    func others() {
        var state = LoanState()
        let sut = reminderReader.inject(LibraryWorld(desk: desk, today: { 1 }))
        record(sut.handle(action: .remind, from: .here(), state: { state }))
        state.books = [1]
        record(sut.eraseToAnyMiddleware().handle(action: .remind, from: .here(), state: { state }))
        #expect(outputs.all == [.refused("late"), .borrow(0)])

        let lifted = sut.lift(
            inputAction: { (number: Int) in number > 0 ? .remind : nil },
            outputAction: { "\($0)" },
            state: { (whole: [LoanState]) in whole[0] }
        )
        let numbers = Recorder<String>()
        for number in 0...1 {
            (lifted <> lifted).handle(action: number, from: .here(), state: { [state] }).run {
                numbers.record($0.action)
            }
        }
        let composed: ComposedMiddleware<Int, String, [LoanState]> = lifted <> lifted
        composed.handle(action: 1, from: .here(), state: { [state] }).run { numbers.record($0.action) }
        #expect(numbers.all == Array(repeating: "borrow(0)", count: 4))
    }

    @Test("a helper for any middleware takes a closure that captures variables")
    func helper() {
        func outputs<M: MiddlewareProtocol>(
            of middleware: M,
            _ action: M.InputActionType,
            _ state: @escaping () -> M.StateType
        ) -> Int {
            let count = Shared(0)
            middleware.handle(action: action, from: .here(), state: state).run { _ in count.update { $0 += 1 } }
            middleware.handle(action: action, from: .here(), state: { state() }).run { _ in count.update { $0 += 1 } }
            return count.value
        }
        #expect(outputs(of: sut, .borrow(1), { self.state }) == 2)
    }
}
