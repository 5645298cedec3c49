// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension TestStore {
    /// Has the store handle the next action that waits, and compares the action and the state with the expected ones.
    ///
    /// Fails if no action waits, or if the next one is not the expected one. With ``exhaustivity`` off, actions before
    /// the expected one are handled without a check.
    ///
    /// - Parameters:
    ///   - action: The action that must come next.
    ///   - changing: As for ``send(_:at:fileID:filePath:function:line:column:changing:)``.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func receive(
        _ action: Action,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        changing: ((inout State) throws -> Void)? = nil
    ) where Action: Equatable {
        receive(
            "'\(ValueLines.line(of: action))'",
            where: { $0 == action },
            mismatch: { "\n\(ValueDifference.text(expected: action, actual: $0))" },
            changing,
            SourcePlace(fileID, filePath, line, column)
        )
    }

    /// Has the store handle the next action that waits, which a closure must recognise, and compares the state.
    public func receive(
        where isExpected: (Action) -> Bool,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        changing: ((inout State) throws -> Void)? = nil
    ) {
        receive(
            "an action that fulfils the condition",
            where: isExpected,
            mismatch: { _ in "" },
            changing,
            SourcePlace(fileID, filePath, line, column)
        )
    }

    /// Has the store handle the next action that waits, which must be of a case, and returns the value of the case.
    ///
    /// ```swift
    /// let results = store.receive(case: \.found) { $0.isSearching = false }
    /// ```
    ///
    /// - Parameters:
    ///   - value: Returns the value of the case, nil for other cases: a closure, or a key path to such a property.
    ///   - changing: As for ``send(_:at:fileID:filePath:function:line:column:changing:)``.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    /// - Returns: The value; nil if the step failed.
    @discardableResult
    public func receive<Value>(
        case value: (Action) -> Value?,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        changing: ((inout State) throws -> Void)? = nil
    ) -> Value? {
        var found: Value?
        receive(
            "an action of the case with a value of type \(Value.self)",
            where: { action in
                found = value(action)
                return found != nil
            },
            mismatch: { _ in "" },
            changing,
            SourcePlace(fileID, filePath, line, column)
        )
        return found
    }

    private func receive(
        _ name: String,
        where isExpected: (Action) -> Bool,
        mismatch: (Action) -> String,
        _ changing: ((inout State) throws -> Void)?,
        _ place: SourcePlace
    ) {
        guard begin(place) else { return }
        var skipped: [DispatchedAction<Action>] = []
        while isActionWaiting(place) {
            let before = state
            guard let received = handleOne(place) else { break }
            if isExpected(received.action) {
                return compare(before, changing, "receiving '\(ValueLines.line(of: received.action))'", place)
            }
            guard exhaustivity == .off else {
                return place.fail(
                    """
                    The test expects \(name), but the next action is '\(ValueLines.line(of: received.action))', dispatched \
                    at \(received.dispatcher).\(mismatch(received.action))
                    """
                )
            }
            skipped.append(received)
        }
        if isBroken { return }
        let others = skipped.isEmpty ? "" : " There was \(Self.list(skipped))."
        place.fail("The test expects \(name), but no \(skipped.isEmpty ? "" : "such ")action waits.\(others)\(hint)")
    }
}
