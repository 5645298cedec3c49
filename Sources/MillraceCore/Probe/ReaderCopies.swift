// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The reporter of copies of a store while its pipeline handles a checked action. A reader of the state is bound before the
/// store has a probe, so it looks here at each copy.
@usableFromInline
package final class CopyReporterCell: @unchecked Sendable {
    // Unchecked because `reporter` is used only by the thread whose number is in `handling`.

    /// The number of the pipeline's thread while it handles a checked action; otherwise 0. Any thread may read the state.
    /// Relaxed: only the thread that wrote its number finds it.
    private let handling = Atomic<UInt>(0)
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

/// Reports the copies that a reader makes under the name of the middleware that was bound with it.
@usableFromInline
final class ReaderCopies: Sendable {
    private let name: MiddlewareName
    private let cell: CopyReporterCell

    init(name: MiddlewareName, cell: CopyReporterCell) {
        self.name = name
        self.cell = cell
    }

    @usableFromInline
    func copied() {
        cell.copied(by: name)
    }
}
