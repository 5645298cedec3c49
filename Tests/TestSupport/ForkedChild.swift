// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
import Glibc

/// What became of a child of fork.
public struct ForkedChild: CustomStringConvertible {
    /// The signal that ended it; 0 if none did.
    public let signal: Int32
    /// What it printed.
    public let message: String

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body in a child, which has no other thread.
    public init(_ body: @escaping @Sendable () -> Void) {
        var text = [CChar](repeating: 0, count: 4096)
        let context = Unmanaged.passRetained(Body(body))
        defer { context.release() }
        signal = millrace_fork_run(
            { context in Unmanaged<Body>.fromOpaque(context!).takeUnretainedValue().run() },
            context.toOpaque(),
            &text,
            text.count
        )
        message = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the library stopped it with its message, and not the alarm.
    public var wasStopped: Bool { signal != 0 && signal != SIGALRM && message.contains("created before fork") }

    /// A text for the message of a failed test.
    public var description: String { "signal \(signal): \(message)" }
}
