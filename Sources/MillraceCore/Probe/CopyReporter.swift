// SPDX-License-Identifier: Apache-2.0

/// The probe that middlewares get in an action that is checked for copies of the state. It tells the store's probe of
/// each copy, and of the stages as always.
///
/// A type of its own, so that nothing is asked or counted in an action that is not checked.
@usableFromInline
package final class CopyReporter: PipelineProbe, @unchecked Sendable {
    // Unchecked because only the pipeline's thread uses `running` and `isReduced`, and only while it handles an action.

    private let base: any PipelineProbe
    /// What is told of the stages: during a checked action the probe of the store's loop, which holds this reporter.
    @exclusivity(unchecked) private var stages: any PipelineProbe
    /// Where the getters and readers of the store find this reporter while an action is checked.
    private let cell: CopyReporterCell
    /// The names of the middlewares that are running, the innermost last.
    @exclusivity(unchecked) private var running: [MiddlewareName] = []
    @exclusivity(unchecked) private var isReduced = false

    package init(_ base: any PipelineProbe, _ cell: CopyReporterCell) {
        self.base = base
        stages = base
        self.cell = cell
    }

    /// A checked action begins.
    @usableFromInline
    package func begin(stages probe: any PipelineProbe) {
        stages = probe
        isReduced = false
        cell.begin(self)
        base.copyCheckBegan()
    }

    /// The middlewares have handled the action.
    @usableFromInline
    package func handled() {
        isReduced = true
    }

    /// The action is finished.
    @usableFromInline
    package func end() {
        cell.end()
        stages = base
    }

    @usableFromInline
    package func stageBegan(_ stage: PipelineStage) {
        if case .middleware(let name) = stage { running.append(name) }
        stages.stageBegan(stage)
    }

    @usableFromInline
    package func stageEnded(_ stage: PipelineStage) {
        if case .middleware = stage { running.removeLast() }
        stages.stageEnded(stage)
    }

    @usableFromInline
    package func unnamedHandled() {
        stages.unnamedHandled()
    }

    /// Returns a getter that reports its copies under the name of the middleware that is running. Without a name, the
    /// copies cannot be reported.
    @usableFromInline
    func reporting<State>(_ state: @escaping GetState<State>) -> GetState<State> {
        guard let name = running.last else { return state }
        return { [cell] in
            cell.copied(by: name)
            return state()
        }
    }

    /// A middleware gets a copy of its state. On the pipeline's thread, in the checked action.
    func report(_ name: MiddlewareName) {
        base.stateCopied(by: name, isReduced: isReduced)
    }
}

extension PipelineProbe {
    /// Returns the getter for a middleware that is about to handle an action. If the action is checked for copies, the
    /// getter reports them.
    @inlinable @inline(__always)
    func reporting<State>(_ state: @escaping GetState<State>) -> GetState<State> {
        // Decided by the compiler wherever it knows the type of the probe.
        guard Self.self == CopyReporter.self else { return state }
        return unsafeDowncast(self, to: CopyReporter.self).reporting(state)
    }
}
