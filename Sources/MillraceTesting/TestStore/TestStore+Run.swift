// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension TestStore {
    private static var mostActions: Int { 10_000 }

    /// Runs what can run without moving the clock. Returns false if the step cannot go on.
    func begin(_ place: SourcePlace) -> Bool {
        isFinished = false
        return !isBroken && run(place)
    }

    /// Runs what becomes due within a duration. Returns false, and reports why, if the world cannot go on.
    @discardableResult
    func run(_ place: SourcePlace, by duration: Duration = .zero) -> Bool {
        if isBroken { return false }
        do {
            gate.host?.wake()
            try world.advance(by: duration)
            return true
        } catch {
            isBroken = true
            place.fail("The test store cannot go on: \(error.reason).")
            return false
        }
    }

    func isActionWaiting(_ place: SourcePlace) -> Bool { run(place) && gate.isActionWaiting }

    /// Has the store handle the next action that waits.
    func handleOne(_ place: SourcePlace) -> DispatchedAction<Action>? {
        gate.admitOne()
        _ = run(place)
        gate.close()
        return log.take().first
    }

    /// Handles all that waits. Returns what was handled.
    func handleWaiting(_ place: SourcePlace) -> [DispatchedAction<Action>] {
        var all: [DispatchedAction<Action>] = []
        while isActionWaiting(place) {
            guard let next = handleOne(place) else { break }
            all.append(next)
            guard all.count < Self.mostActions else {
                isBroken = true
                place.fail(
                    """
                    After \(all.count) actions still more wait: the actions seem to cause each other for ever, at last \
                    '\(ValueLines.line(of: next.action))'.
                    """
                )
                break
            }
        }
        return all
    }

    /// Compares the state with the one that the step declares.
    func compare(
        _ before: State,
        _ changing: ((inout State) throws -> Void)?,
        _ step: String,
        _ place: SourcePlace
    ) {
        let after = state
        if exhaustivity == .off, changing == nil { return }
        var expected = exhaustivity == .on ? before : after
        do {
            try changing?(&expected)
        } catch {
            return place.fail("The closure of this step threw an error: \(error)")
        }
        if areEqual(expected, after) { return }
        let what =
            changing == nil
            ? "changed the state, but the step declares no change" : "did not change the state as the step declares"
        place.fail(
            "\(step.prefix(1).uppercased())\(step.dropFirst()) \(what) (- declared, + actual):\n"
                + ValueDifference.text(expected: expected, actual: after)
        )
    }

    /// Advice that names the next timer, or says what the effects wait for.
    var hint: String {
        let scheduler = world.scheduler
        guard let next = scheduler.timers.first else {
            let isWaiting = scheduler.effectsUnderWay.contains { !$0.isWaiting }
            return isWaiting
                ? " No timer is set: the effects wait for something outside of the test store, as Task.sleep or a callback."
                : ""
        }
        return
            " The next timer is due in \(Duration.nanoseconds(Int64(clamping: next.due - scheduler.now))): see advance(by:)."
    }

    static func list(_ actions: [DispatchedAction<Action>]) -> String {
        list(actions.map { "'\(ValueLines.line(of: $0.action))', dispatched at \($0.dispatcher)" })
    }

    static func list(_ texts: [String]) -> String {
        guard texts.count > 1 else { return texts.first ?? "" }
        let shown = texts.prefix(20).map { "\n    \($0)" }.joined()
        return "these \(texts.count):\(shown)" + (texts.count > 20 ? "\n    …" : "\n  ")
    }
}
