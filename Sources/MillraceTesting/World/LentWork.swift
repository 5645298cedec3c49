// SPDX-License-Identifier: Apache-2.0

/// A closure that another thread runs once while its owner waits. When `run` returns, nothing holds the closure any
/// more.
final class LentWork: @unchecked Sendable {
    // Unchecked because the owner waits meanwhile.
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    /// Not inlined, so that the copy of the closure that it calls is released before it returns.
    @inline(never)
    func run() {
        body?()
        body = nil
    }
}
