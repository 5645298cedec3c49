// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore

/// Gives actions to one middleware alone, and returns what it dispatched.
///
/// ```swift
/// let probe = MiddlewareProbe(searcher, state: Search())
/// #expect(probe.send(.typed("mill")).isEmpty)
/// #expect(probe.advance(by: .milliseconds(300)).map(\.action) == [.found(["Millrace"])])
/// ```
///
/// The middleware runs in a production store in a simulated world, so that effects, lifts, gates and names work as they
/// do in an app. The clock moves only by ``advance(by:fileID:filePath:line:column:)``. Effects use this clock unless
/// their options name another one.
///
/// The probe returns what the middleware dispatches. These actions do not come back to the middleware, and no reducer
/// handles them. The state changes only where the test changes it: in the closure of `send`, which stands for the
/// reducer, or by ``state``.
///
/// **Failures** of the world (a task that leaves it, work that never ends) go to the running test: see ``TestFailure``.
///
/// **Threads.** No function suspends. Use a probe from one thread at a time.
public final class MiddlewareProbe<Input, Output, State> {
    typealias Change = (inout State) -> Void

    /// The actions of the probe's store.
    enum Passing {
        case input(Input, Change?)
        case output(Output)
        case change(Change)
    }

    private let world: SimulatedWorld
    private let log = HandledActions<Passing, State>()
    let store: ReduxStoreBase<Passing, State>
    private var isBroken = false

    /// Creates a probe of a middleware.
    ///
    /// - Parameters:
    ///   - middleware: The middleware, a composition, or a lifted one.
    ///   - state: The state that it reads.
    ///   - order: Where the probe's store puts the actions that it dispatches itself. Use the order of the app's store.
    public init<M: MiddlewareProtocol>(
        _ middleware: sending M,
        state: sending State,
        order: ActionOrder = .fifo
    ) where M.InputActionType == Input, M.OutputActionType == Output, M.StateType == State {
        let world = SimulatedWorld(choosing: .given([]), seed: 0, time: .whenIdle, isTracing: false)
        self.world = world
        let lifted = middleware.lift(
            inputAction: { (passing: Passing) in if case .input(let action, _) = passing { action } else { nil } },
            outputAction: { Passing.output($0) }
        )
        store = ReduxStoreBase(
            initialState: state,
            reducer: .reduce { passing, state in
                switch passing {
                case .input(_, let change): change?(&state)
                case .change(let change): change(&state)
                case .output: break
                }
            },
            middleware: NotingMiddleware(log: log) <> lifted,
            engine: .simulated(in: world),
            publication: .everyAction,
            order: order
        )
        run(SourcePlace(#fileID, #filePath, #line, #column))
    }

    deinit {
        world.scheduler.cancelEffects()
        if !isBroken { try? world.run(until: .zero, steps: 10_000) }
    }

    /// Gives an action to the middleware, and runs everything that can run without moving the clock.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - source: The source that the middleware gets. If nil, the line of this call.
    ///   - reducing: Changes the state after `handle` and before the IO, as the app's reducer would. If nil, the state
    ///     does not change.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    /// - Returns: What the middleware and its effects dispatched since the last call, each action with its source.
    @discardableResult
    public func send(
        _ action: Input,
        from source: ActionSource? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        function: StaticString = #function,
        line: UInt = #line,
        column: UInt = #column,
        reducing: ((inout State) -> Void)? = nil
    ) -> [DispatchedAction<Output>] {
        let place = SourcePlace(fileID, filePath, line, column)
        return pass(.input(action, reducing), source ?? place.source(function), place)
    }

    /// Moves the clock. Effects that become due meanwhile run at their time.
    ///
    /// - Returns: What the middleware dispatched since the last call.
    @discardableResult
    public func advance(
        by duration: Duration,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) -> [DispatchedAction<Output>] {
        run(SourcePlace(fileID, filePath, line, column), by: duration)
        return outputs()
    }

    /// The state that the middleware reads. The middleware does not learn that the test sets it.
    public var state: State {
        get {
            // Not nil: set when the store was made.
            log.reader!()
        }
        set {
            let place = SourcePlace(#fileID, #filePath, #line, #column)
            let earlier = log.take()
            _ = pass(.change { $0 = newValue }, place.source(#function), place)
            log.handled = earlier + log.handled
        }
    }

    /// The clock of the probe's world.
    public var clock: SimulatedClock { world.clock }

    /// The effects that run or wait for their turn: the name of each, or its token if it has no name.
    public var runningEffects: [String] { world.scheduler.effectsUnderWay.map(\.text) }

    private func pass(_ passing: Passing, _ source: ActionSource, _ place: SourcePlace) -> [DispatchedAction<Output>] {
        if isBroken { return [] }
        // Not used here after the dispatch.
        nonisolated(unsafe) let dispatched = DispatchedAction(passing, dispatcher: source)
        store.dispatch(dispatched)
        run(place)
        return outputs()
    }

    private func run(_ place: SourcePlace, by duration: Duration = .zero) {
        if isBroken { return }
        do {
            try world.advance(by: duration)
        } catch {
            isBroken = true
            place.fail("The probe cannot go on: \(error.reason).")
        }
    }

    private func outputs() -> [DispatchedAction<Output>] {
        log.take().compactMap { dispatched in
            dispatched.compactMap { if case .output(let output) = $0 { output } else { nil } }
        }
    }
}
