// SPDX-License-Identifier: Apache-2.0

import Millrace
public import MillraceCore

extension TestStore {
    /// Dispatches an urgent action, as `dispatch(urgent:)` does, has the store handle it before the actions that wait,
    /// and compares the state with the declared one.
    ///
    /// ```swift
    /// store.send(.order(7)) { $0.orders = [7] }       // a middleware answers: .confirmed(7) waits
    /// store.send(urgent: .stop) { $0.isStopped = true }
    /// store.receive(.confirmed(7))
    /// ```
    ///
    /// Actions that are not urgent may wait at this step, and still wait after it. The store handles earlier urgent
    /// actions first: if one waits, the step fails, unless ``exhaustivity`` is off.
    ///
    /// - Parameters:
    ///   - action: The action. Its source is the line of the step.
    ///   - time: The time that reducers made by `reduceAt` get. If nil, the time of ``clock``, which begins with the
    ///     year 1970.
    ///   - changing: As for ``send(_:at:fileID:filePath:function:line:column:changing:)``.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func send(
        urgent action: Action,
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
        let source = place.source(function)
        gate.time = time
        defer { gate.time = nil }
        // Unsafe because the action is used here after the dispatch. It is only printed, and the world runs on this
        // thread alone.
        nonisolated(unsafe) let dispatched = action
        var isHandled = false
        var earlier: [DispatchedAction<Action>] = []
        var before = state
        if store.dispatch(urgent: dispatched, file: fileID, function: function, line: line) == .accepted {
            while !isHandled, let next = handleOne(place) {
                isHandled = next.dispatcher == source
                if !isHandled { (earlier, before) = (earlier + [next], state) }
            }
        }
        if isBroken { return }
        if exhaustivity == .on, !earlier.isEmpty {
            place.fail(
                "Before this step, the test must receive \(Self.list(earlier)) (now handled without a check)."
            )
        }
        guard isHandled else {
            return place.fail(
                "The store has not handled '\(ValueLines.line(of: action))': it is closed, or has dropped the action."
            )
        }
        compare(before, changing, "sending '\(ValueLines.line(of: action))'", place)
    }
}
