// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension TestStore {
    /// Fails unless effects with this token, or with this name, run.
    ///
    /// - Parameters:
    ///   - token: The token of the effects, or the name that `named(_:)` gave them.
    ///   - count: The number of effects that must run; nil: one or more.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func assertRunning(
        _ token: some Hashable & Sendable,
        count: Int? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        check(token, isWaiting: false, count, "running", SourcePlace(fileID, filePath, line, column))
    }

    /// Fails unless effects with this token, or with this name, wait for their turn, as with the policies `.serial` and
    /// `.concurrent`. An effect that waits for a time, such as a delay, counts as running.
    ///
    /// - Parameters:
    ///   - token: The token of the effects, or the name that `named(_:)` gave them.
    ///   - count: The number of effects that must wait; nil: one or more.
    ///   - fileID: The file of the call, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func assertWaiting(
        _ token: some Hashable & Sendable,
        count: Int? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        check(token, isWaiting: true, count, "waiting", SourcePlace(fileID, filePath, line, column))
    }

    /// Fails if an effect with this token, or with this name, runs or waits for its turn.
    public func assertNotRunning(
        _ token: some Hashable & Sendable,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let found = effects(token)
        if found.isEmpty { return }
        SourcePlace(fileID, filePath, line, column).fail(
            "No effect '\(token)' should be under way, but \(Self.list(found.map(\.text))) is.\(hint)"
        )
    }

    /// Fails if any effect runs, or waits for its turn.
    public func assertIdle(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let effects = world.scheduler.effectsUnderWay
        if effects.isEmpty { return }
        SourcePlace(fileID, filePath, line, column).fail(
            "No effect should be under way, but \(Self.list(effects.map(\.text))) is.\(hint)"
        )
    }

    /// Cancels all effects that run or wait for their turn, if the test does not need their end. The actions of these
    /// effects that still wait are removed.
    public func skipRunningEffects(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let place = SourcePlace(fileID, filePath, line, column)
        guard begin(place) else { return }
        world.scheduler.cancelEffects()
        run(place)
    }

    /// The effects that run or wait for their turn: the name of each, or its token if it has no name.
    public var runningEffects: [String] { world.scheduler.effectsUnderWay.map(\.text) }

    private func effects(_ token: some Hashable & Sendable) -> [EffectUnderWay] {
        world.scheduler.effectsUnderWay.filter { $0.token == AnyHashable(token) || $0.name == token as? String }
    }

    private func check(
        _ token: some Hashable & Sendable,
        isWaiting: Bool,
        _ count: Int?,
        _ word: String,
        _ place: SourcePlace
    ) {
        let found = effects(token).count { $0.isWaiting == isWaiting }
        if let count { if found == count { return } } else if found > 0 { return }
        let all = world.scheduler.effectsUnderWay
        let others = all.isEmpty ? "No effect is under way." : "Under way: \(Self.list(all.map(\.text)))."
        let expected = count.map { "\($0)" } ?? "at least 1"
        place.fail(
            "Effects '\(token)' that are \(word): the test expects \(expected), there are \(found). \(others)\(hint)"
        )
    }
}
