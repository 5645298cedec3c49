// SPDX-License-Identifier: Apache-2.0

/// A closure that another thread runs once while its owner waits. Nobody has the closure any more when `run` has returned.
final class LentWork: @unchecked Sendable {
    // Unchecked because the owner waits meanwhile.
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    /// Not a part of the caller, so that the copy that it calls is released before it returns.
    @inline(never)
    func run() {
        body?()
        body = nil
    }
}
