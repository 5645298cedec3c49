// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The reporter of copies of a store while its pipeline handles a checked action. A reader of the state is bound before
/// the store has a probe, so it looks here at each copy.
@usableFromInline
package final class CopyReporterCell: @unchecked Sendable {
    // Unchecked because `reporter` is used only by the thread whose number is in `handling`.

    /// The number of the pipeline's thread while it handles a checked action; otherwise 0. Any thread may read the
    /// state. Relaxed: only the thread that wrote its number finds it.
    @usableFromInline let handling = Atomic<UInt>(0)
    @exclusivity(unchecked) private var reporter: CopyReporter?

    package init() {}

    func begin(_ reporter: CopyReporter) {
        self.reporter = reporter
        handling.store(CurrentThread.number, ordering: .relaxed)
    }

    func end() {
        handling.store(0, ordering: .relaxed)
        reporter = nil
    }

    @usableFromInline
    func copied(by name: MiddlewareName) {
        let thread = handling.load(ordering: .relaxed)
        guard thread != 0, thread == CurrentThread.number else { return }
        reporter?.report(name)
    }
}

/// Reports the copies that a reader, or the getter of `afterReduce`, makes under the name of the middleware that was
/// bound with it.
@usableFromInline
final class ReaderCopies: Sendable {
    private let name: MiddlewareName
    @usableFromInline let cell: CopyReporterCell

    init(name: MiddlewareName, cell: CopyReporterCell) {
        self.name = name
        self.cell = cell
    }

    @usableFromInline
    func copied() {
        cell.copied(by: name)
    }

    /// Returns a getter that reports its copies, if the pipeline handles a checked action.
    @inlinable @inline(__always)
    func reporting<State>(_ state: @escaping GetState<State>) -> GetState<State> {
        // Relaxed: asked on the pipeline's thread, which has written it.
        if cell.handling.load(ordering: .relaxed) == 0 { return state }
        return reported(state)
    }

    @usableFromInline
    func reported<State>(_ state: @escaping GetState<State>) -> GetState<State> {
        { [self] in
            copied()
            return state()
        }
    }
}
