// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Checks the rules for one middleware. `makeStage` makes the stores.
struct RuleChecker<Action: Sendable, State: Sendable> {
    typealias Stage = RuleStage<Action, State>

    let actions: [Action]
    /// The name of the middleware in a wrapper whose calls are counted.
    var innerName: MiddlewareName?
    /// How long a run goes on at most, in the time of its world.
    var horizon: Duration = .seconds(60)
    let makeStage: (SimulatedWorld, RuleForm) throws -> Stage

    func check(
        seeds: Range<UInt64>,
        except exceptions: Set<MiddlewareRule>,
        rules: [MiddlewareRule],
        function: String
    ) throws(BrokenRule) -> RulesReport {
        var report = RulesReport()
        guard !actions.isEmpty else {
            let reason = "there are no actions to dispatch, so the middleware would do nothing"
            throw BrokenRule(rule: rules.first ?? .repeatable, schedule: ScheduleFailure(nothingToRun: reason))
        }
        for rule in rules where !exceptions.contains(rule) {
            do throws(ScheduleFailure) {
                let done = try SimulatedWorld.explore(seeds: seeds, function: function) { try run(rule, in: $0) }
                report.note(rule, done)
            } catch {
                var broken = rule
                if case .outside = error.reason { broken = .repeatable }
                throw BrokenRule(rule: broken, schedule: error)
            }
        }
        return report
    }

    private func run(_ rule: MiddlewareRule, in world: SimulatedWorld) throws {
        switch rule {
        case .repeatable: try repeats(in: world)
        case .liftAndErasure: try forms(in: world)
        case .order: try order(in: world)
        case .silentAfterRelease: try silence(in: world)
        case .released: try release(in: world)
        case .cancellation: try cancellation(in: world)
        case .probes: try probes(in: world)
        case .state: try state(in: world)
        }
    }

    // MARK: Comparisons of runs

    /// What one run did.
    private struct Outcome {
        let handled: [RuleLog.Row]
        let names: [MiddlewareName]
        let calls: Int
    }

    /// Runs the inputs to their end in one form.
    private func play(_ world: SimulatedWorld, _ form: RuleForm, probe: RuleProbe? = nil) throws -> Outcome {
        let stage = try makeStage(world, form)
        defer { stage.close() }
        // Sent also without a probe, so that the steps of both runs are the same.
        stage.store?.setProbe(probe)
        stage.feed(actions)
        try stage.run(for: horizon)
        let names = stage.store?.probed.middlewareNames ?? []
        return Outcome(handled: stage.log.handled, names: names, calls: stage.log.calls)
    }

    /// Returns a closure that makes worlds with the same choices as this one.
    private func twins(of world: SimulatedWorld) -> () -> SimulatedWorld {
        let choices = world.scheduler.choices
        return {
            SimulatedWorld(choosing: choices, seed: world.seed, time: world.scheduler.time, isTracing: false)
        }
    }

    private func repeats(in world: SimulatedWorld) throws {
        let twin = twins(of: world)
        let first = try play(world, .alone)
        let second = try play(twin(), .alone)
        if let text = difference(first.handled, "the first time", second.handled, "the second time") {
            throw RuleViolation("Two runs of the same world differ. \(text)")
        }
    }

    private func forms(in world: SimulatedWorld) throws {
        let twin = twins(of: world)
        let alone = try play(world, .alone)
        for form in RuleForm.allCases.dropFirst() {
            let other = try play(twin(), form)
            if let text = difference(alone.handled, "alone", other.handled, form.text) { throw RuleViolation(text) }
            guard alone.names == other.names else {
                throw RuleViolation("The store knows the names \(alone.names), but \(form.text) only \(other.names)")
            }
        }
    }

    private func probes(in world: SimulatedWorld) throws {
        let twin = twins(of: world)
        let plain = try play(world, .alone)
        let probe = RuleProbe()
        let probed = try play(twin(), .alone, probe: probe)
        if let text = difference(plain.handled, "without a probe", probed.handled, "with a probe") {
            throw RuleViolation(text)
        }
        guard let innerName else { return }
        guard probed.names.contains(innerName) else {
            throw RuleViolation(
                "The middleware inside is named \(innerName), but the store does not know the name: bind(_:) has to bind the base"
            )
        }
        let seen = probe.handled[innerName, default: 0]
        guard seen == probed.calls else {
            throw RuleViolation(
                "The middleware inside handled \(probed.calls) actions, but the probe saw \(seen) of them under its name"
            )
        }
    }

    private func difference(
        _ left: [RuleLog.Row],
        _ leftForm: String,
        _ right: [RuleLog.Row],
        _ rightForm: String
    ) -> String? {
        guard left != right else { return nil }
        let index =
            zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(left.count, right.count)
        func text(_ rows: [RuleLog.Row]) -> String { index < rows.count ? "\(rows[index])" : "nothing" }
        return "Number \(index + 1) is \(text(left)) \(leftForm), and \(text(right)) \(rightForm)"
    }

    // MARK: Order and state

    private func order(in world: SimulatedWorld) throws {
        let stage = try makeStage(world, .alone)
        defer { stage.close() }
        stage.feed(actions)
        try stage.run(for: horizon)
        let handled = stage.log.handled
        // Only the actions that were handled: a wrapper may filter actions, and effects may be cancelled.
        var left: [RuleLog.Row: Int] = [:]
        for row in handled { left[row, default: 0] += 1 }
        let wanted = stage.log.dispatched.filter { row in
            left[row, default: 0] -= 1
            return left[row, default: 0] >= 0
        }
        var position = handled.startIndex
        var before: RuleLog.Row?
        for row in wanted {
            guard let index = handled[position...].firstIndex(of: row) else {
                throw RuleViolation(
                    "\(row) was dispatched after \(before.map(String.init(describing:)) ?? "another one"), but handled before it"
                )
            }
            position = index + 1
            before = row
        }
    }

    private func state(in world: SimulatedWorld) throws {
        let stage = try makeStage(world, .alone)
        defer { stage.close() }
        stage.feed(actions)
        try stage.run(for: horizon)
        if let complaint = stage.log.complaint { throw RuleViolation(complaint) }
    }

    // MARK: Ends

    /// Ends the middleware at a random moment, then runs what can run without moving the clock.
    private func end(_ stage: Stage) throws {
        stage.feed(actions)
        var random = stage.world.random
        if Bool.random(using: &random) { try stage.runForAWhile() }
        let pauses = Int.random(in: 0..<40, using: &random)
        stage.world.thread("release") { [world = stage.world] in
            for _ in 0..<pauses { world.pause() }
            stage.end()
        }
        try stage.runWithoutTime()
    }

    private func silence(in world: SimulatedWorld) throws {
        let stage = try makeStage(world, .alone)
        defer { stage.close() }
        try end(stage)
        stage.log.isOver = true
        guard stage.log.held == 0 else {
            throw RuleViolation("\(stage.ending), but its middlewares are not released: something keeps the store")
        }
        guard !stage.hasSleeper else {
            throw RuleViolation("\(stage.ending), but a task still sleeps: an effect was not cancelled")
        }
        try stage.run(for: horizon)
        if let late = stage.log.late { throw RuleViolation("\(stage.ending), but \(late) was dispatched later") }
    }

    private func release(in world: SimulatedWorld) throws {
        let stage = try makeStage(world, .alone)
        defer { stage.close() }
        try end(stage)
        try stage.run(for: horizon)
        let names = world.unreleased + (stage.log.outputs > 0 ? ["an output that the middleware was given"] : [])
        guard names.isEmpty else {
            throw RuleViolation(
                "\(stage.ending), but this was not released: \(names.joined(separator: ", ")). A closure, a task or "
                    + "another object keeps it, perhaps in a cycle"
            )
        }
    }

    private func cancellation(in world: SimulatedWorld) throws {
        let stage = try makeStage(world, .alone)
        defer { stage.close() }
        stage.feed(actions)
        try stage.runForAWhile()
        if innerName != nil, let text = stage.log.uncancelled { throw RuleViolation(text) }
        stage.isStopped = true
        try stage.runWithoutTime()
        let count = stage.log.handled.count
        stage.log.canceller?.cancelAll()
        try stage.runWithoutTime()
        guard !stage.hasSleeper else {
            throw RuleViolation("effectCanceller.cancelAll() has returned, but a task still sleeps: an effect goes on")
        }
        try stage.run(for: horizon)
        if stage.log.handled.count > count {
            throw RuleViolation("\(stage.log.handled[count]) was dispatched after effectCanceller.cancelAll()")
        }
    }
}
