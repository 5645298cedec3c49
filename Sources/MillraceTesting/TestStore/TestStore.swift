// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceCore

/// A store for tests: the test says, step by step, which action is handled and how the state changes.
///
/// ```swift
/// let store = TestStore(initialState: Search(), reducer: searching, middleware: searcher)
/// store.send(.typed("mill")) { $0.text = "mill" }
/// store.assertRunning("search")
/// store.advance(by: .milliseconds(300))                // the debounce of the effect
/// store.receive(.found(["Millrace"])) { $0.results = ["Millrace"] }
/// store.finish()
/// ```
///
/// It has a production store (``store``) in a simulated world of its own. Middlewares and effects run the same code as
/// in the app. Only the time, and when an action is handled, are up to the test:
///
/// - ``send(_:at:fileID:filePath:function:line:column:changing:)`` dispatches an action, and the store handles it. What
///   middlewares and effects dispatch in answer waits in the queue.
/// - ``send(urgent:at:fileID:filePath:function:line:column:changing:)`` does the same with an urgent action. Other
///   actions may wait.
/// - ``receive(_:fileID:filePath:line:column:changing:)`` has the store handle the next action that waits, and compares
///   the action and the state.
/// - ``advance(by:fileID:filePath:line:column:)`` moves the clock. Nothing else moves it, so a test never waits, and a
///   delay of an hour takes no time. Effects use this clock unless their options name another one.
///
/// **Exhaustive.** The test must declare everything. It fails at the line of the step if the state differs from the
/// declared one, or if an action waits at the next `send`. At the end, it fails if an action waits or an effect runs.
/// ``exhaustivity`` switches this off.
///
/// **Failures** go to the running test of Swift Testing or XCTest: see ``TestFailure``. After a failure the test goes
/// on with the actual state.
///
/// **Threads.** No function suspends, so no call needs an `await`, also in an `async` test. Use a test store from one
/// thread at a time. Tests with test stores may run in parallel. If code leaves the world (a `Task { }` in a
/// middleware, `Task.sleep`, the main actor), the step fails and names that code.
public final class TestStore<Action, State> {
    /// The store. Hand it to the code that dispatches or observes in your app. Actions that such code dispatches wait
    /// for `receive`.
    public let store: ReduxStoreBase<Action, State>
    /// How much the test must declare. Default: everything.
    public var exhaustivity: Exhaustivity = .on

    let world: SimulatedWorld
    let gate: AdmissionGate
    let log: HandledActions<Action, State>
    let areEqual: (State, State) -> Bool
    private let origin: SourcePlace
    /// Whether the world cannot go on.
    var isBroken = false
    /// Whether `finish` has checked the end.
    var isFinished = false

    /// Creates a test store whose states are compared by a closure.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first action.
    ///   - reducer: The reducer.
    ///   - middleware: The middleware, for example an `EffectMiddleware`. Compose several with `<>`.
    ///   - order: Where the store puts the actions that it dispatches itself. Use the order of the app's store.
    ///   - stateEquating: Returns whether two states are equal.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public init<M: MiddlewareProtocol>(
        initialState: sending State,
        reducer: Reducer<Action, State>,
        middleware: sending M,
        order: ActionOrder = .fifo,
        stateEquating: @escaping (State, State) -> Bool,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
        let world = SimulatedWorld(choosing: .given([]), seed: 0, time: .whenIdle, isTracing: false)
        let scheduler = world.scheduler
        let gate = AdmissionGate()
        let log = HandledActions<Action, State>()
        self.world = world
        self.gate = gate
        self.log = log
        areEqual = stateEquating
        origin = SourcePlace(fileID, filePath, line, column)
        store = ReduxStoreBase(
            initialState: initialState,
            reducer: reducer,
            middleware: NotingMiddleware(log: log) <> middleware,
            engine: .hosted(in: scheduler) { SimulatedHost(scheduler, $0, gate: gate) },
            publication: .everyAction,
            order: order
        )
        run(origin)
    }

    /// Creates a test store.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first action.
    ///   - reducer: The reducer.
    ///   - middleware: The middleware, for example an `EffectMiddleware`. Compose several with `<>`.
    ///   - order: Where the store puts the actions that it dispatches itself. Use the order of the app's store.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public convenience init<M: MiddlewareProtocol>(
        initialState: sending State,
        reducer: Reducer<Action, State>,
        middleware: sending M,
        order: ActionOrder = .fifo,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State, State: Equatable {
        self.init(
            initialState: initialState,
            reducer: reducer,
            middleware: middleware,
            order: order,
            stateEquating: ==,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Creates a test store without middlewares.
    public convenience init(
        initialState: sending State,
        reducer: Reducer<Action, State>,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) where State: Equatable {
        self.init(
            initialState: initialState,
            reducer: reducer,
            middleware: IdentityMiddleware<Action, Action, State>(),
            stateEquating: ==,
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    deinit {
        // Other code may have dispatched an action since `finish`.
        if !isFinished || gate.isActionWaiting { checkEnd(origin) }
    }

    /// The state after the last action that was handled.
    public var state: State {
        // Not nil: set when the store was made.
        log.reader!()
    }

    /// The clock of the store's world.
    public var clock: SimulatedClock { world.clock }

    /// The time since the test store was made.
    public var now: Duration { world.clock.now.offset }
}
