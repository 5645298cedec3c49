// SPDX-License-Identifier: Apache-2.0

import Millrace
public import MillraceCore

extension TestStore {
    /// Dispatches an action, has the store handle it, and compares the state with the declared one.
    ///
    /// Then everything runs that can run without moving the clock, such as effects that answer at once. The actions of
    /// these effects wait for `receive`.
    ///
    /// Fails if actions wait that the test has not received. If ``exhaustivity`` is off, the store handles these
    /// actions first, without a check.
    ///
    /// - Parameters:
    ///   - action: The action. Its source is the line of the step.
    ///   - time: The time that reducers made by `reduceAt` get. If nil, the time of ``clock``, which begins with the
    ///     year 1970.
    ///   - changing: Changes the state before the action into the expected one. If nil, the action must not change the
    ///     state. With ``exhaustivity`` off, the closure is applied to the state after the action, and must not change
    ///     it: so set values in it, do not add to them.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func send(
        _ action: Action,
        at time: ActionTime? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        function: StaticString = #function,
        line: UInt = #line,
        column: UInt = #column,
        changing: ((inout State) throws -> Void)? = nil
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        guard begin(place) else { return }
        let waiting = handleWaiting(place)
        if exhaustivity == .on, !waiting.isEmpty {
            place.fail(
                "Before this step, the test must receive \(Self.list(waiting)) (now handled without a check)."
            )
        }
        let before = state
        // Unsafe because the action is used here after the dispatch. It is only printed, and the world runs on this
        // thread alone.
        nonisolated(unsafe) let dispatched = DispatchedAction(action, dispatcher: place.source(function))
        gate.time = time
        gate.admitOne()
        store.dispatch(dispatched)
        let isRun = run(place)
        gate.time = nil
        gate.close()
        guard isRun else { return }
        guard !log.take().isEmpty else {
            return place.fail(
                "The store has not handled '\(ValueLines.line(of: action))': it is closed, or has dropped the action."
            )
        }
        compare(before, changing, "sending '\(ValueLines.line(of: action))'", place)
    }

    /// Has the store handle all actions that wait, and the actions that these cause, without a check. Fails if none
    /// waits, unless ``exhaustivity`` is off.
    public func skipReceivedActions(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        guard begin(place) else { return }
        if handleWaiting(place).isEmpty, exhaustivity == .on {
            place.fail("There is no action to skip: none waits.\(hint)")
        }
    }

    /// Runs everything that can run without moving the clock. The store handles all actions that wait, and the actions
    /// that these cause, without a check. Effects run until they wait for a time.
    public func settle(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        guard begin(place) else { return }
        _ = handleWaiting(place)
    }

    /// Moves the clock. Effects that become due meanwhile run at their time.
    ///
    /// The actions that these effects dispatch wait for `receive`, which comes after the whole duration. So an effect
    /// that such an action starts begins at the end of the duration. To test a chain of delays, call `advance` for each
    /// delay.
    public func advance(
        by duration: Duration,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        guard begin(place) else { return }
        run(place, by: duration)
    }

    /// Fails if an action waits, or if an effect runs or waits for its turn. With ``exhaustivity`` off, checks nothing.
    ///
    /// A test store that is released without this call does the same check, and reports failures at the line where the
    /// test store was made.
    public func finish(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        guard begin(place) else { return }
        checkEnd(place)
        isFinished = true
    }

    func checkEnd(_ place: SourcePlace) {
        guard !isBroken, exhaustivity == .on, run(place) else { return }
        let waiting = handleWaiting(place)
        if !waiting.isEmpty {
            place.fail("At the end of the test, it has not received \(Self.list(waiting)).")
        }
        let effects = world.scheduler.effectsUnderWay
        if !effects.isEmpty {
            place.fail(
                """
                At the end of the test, \(Self.list(effects.map(\.text))) still \
                \(effects.count == 1 ? "runs" : "run"). Advance the clock, cancel the effects by an action, or call \
                skipRunningEffects().\(hint)
                """
            )
        }
    }
}
