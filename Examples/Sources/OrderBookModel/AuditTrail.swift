// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import Synchronization

/// A file of lines, one for each report and each stop. A written line survives the end of the process.
package final class AuditTrail: Sendable {
    private let descriptor: Int32
    private let failed = Atomic<Int>(0)

    /// Opens the file, or makes it. Lines are added at its end.
    package init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AuditError(description: "Cannot open the audit trail '\(path)': \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// How many lines could not be written.
    package var failures: Int {
        // A counter: it orders nothing.
        failed.load(ordering: .relaxed)
    }

    func append(_ line: String) {
        // One call for one line: a kill does not leave half of it behind.
        let text = line + "\n"
        let count = text.utf8.count
        // A counter: it orders nothing.
        if write(descriptor, text, count) != count { failed.add(1, ordering: .relaxed) }
    }

    /// The line of an action; nil if the action is not in the trail. The first three words are its key.
    package static func line(of action: OrderAction) -> String? {
        switch action {
        case .book(let symbol, .breached(let event, let position)): "breach \(symbol) \(event) position \(position)"
        case .book(let symbol, .bigTrade(let event, let size, let price)):
            "trade \(symbol) \(event) size \(size) price \(price)"
        case .kill(let number): "kill all \(number)"
        case .resume(let number): "resume all \(number)"
        case .book: nil
        }
    }
}

/// Why the audit trail cannot be used.
package struct AuditError: Error, CustomStringConvertible {
    package let description: String
}

/// Writes the audit trail in IOs. In a store with a journal an IO runs when its action is durable, and at most once: so the
/// trail has no line of an action that was lost.
package struct Audit: MiddlewareProtocol {
    private let trail: AuditTrail?

    /// Without a trail it does nothing.
    package init(_ trail: AuditTrail?) {
        self.trail = trail
    }

    package func handle(action: OrderAction, from: ActionSource, state: @escaping GetState<Market>) -> IO<OrderAction> {
        guard let trail, let line = AuditTrail.line(of: action) else { return .pure() }
        return IO { _ in trail.append(line) }
    }
}
