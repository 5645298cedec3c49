// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The watcher of a store with a journal. It also tells the store's probe, if there is one.
@usableFromInline
struct JournalWatcher: PipelineWatcher {
    @usableFromInline let port: JournalPort
    @usableFromInline var probe: ProbeWatcher?
    /// Whether the probe is told of every action, not only of those in its sample.
    @usableFromInline let seesEveryAction: Bool
    /// Whether the probe is told of the current action.
    @usableFromInline var isProbed = false

    @inlinable static var checksNumbers: Bool { true }

    @inlinable
    init(_ port: JournalPort, _ probe: ProbeBox?, untoldLimit: Int) {
        self.port = port
        self.probe = probe.map { ProbeWatcher(.passUnretained($0), untoldLimit: untoldLimit) }
        seesEveryAction = probe?.seesEveryAction == true
        port.probe = probe
    }

    @inlinable
    mutating func admits(_ slot: UnsafeRawPointer) -> Bool {
        guard let run = Slot.numberedRun(slot) else { return true }
        return port.admits(run)
    }

    @inlinable
    mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int)
        -> MeasuredAction?
    {
        port.takeUp(UnsafeRawPointer(action), taken)
        isProbed = probe != nil && (seesEveryAction || Slot.isMeasured(taken.slot))
        return isProbed ? probe?.takeUp(action, taken, depth: depth) : nil
    }

    @inlinable
    mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: borrowing Borrowed<M.InputActionType>,
        _ source: borrowing Borrowed<ActionSource>,
        _ state: @escaping GetState<M.StateType>
    ) -> IO<M.OutputActionType> {
        if isProbed, let io = probe?.handle(middleware, action, source, state) { return io }
        return middleware.handle(action: action.value, from: source.value, state: state)
    }

    @inlinable
    mutating func stageBegan(_ stage: PipelineStage) {
        if isProbed { probe?.stageBegan(stage) }
    }

    @inlinable
    mutating func stageEnded(_ stage: PipelineStage) {
        if isProbed { probe?.stageEnded(stage) }
    }

    @inlinable
    mutating func holds<Action>(_ io: IO<Action>, _ output: borrowing Borrowed<AnyActionHandler<Action>>) -> Bool {
        port.holds(io, output.value)
    }

    @inlinable
    mutating func actionEnded(_ kept: borrowing MeasuredAction?) {
        if isProbed, let measured = copy kept { probe?.actionEnded(measured) }
    }
}

extension JournalPort {
    @usableFromInline
    func holds<Action>(_ io: IO<Action>, _ output: AnyActionHandler<Action>) -> Bool {
        hold { io.run(output) }
    }
}

extension Pipeline {
    /// The same as `drain`, in a store with a journal.
    @inlinable
    func drain(_ core: Core, _ most: Int, _ port: JournalPort) -> Int {
        var watcher = JournalWatcher(port, core.consumer.probe, untoldLimit: most)
        return drain(core, most, &watcher)
    }

    /// The same as `drainBeside`, in a store with a journal.
    @inlinable
    func drainBeside(_ core: Core, _ most: Int, _ port: JournalPort) -> Int {
        var watcher = JournalWatcher(port, core.consumer.probe, untoldLimit: most)
        return drainBeside(core, most, &watcher)
    }
}
