// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore

/// A thread that is inside ``ReduxStoreBase/withState(_:)``, of any store in the process. A shutdown that waits for
/// such threads reports them (``ShutdownReport/readers``).
public struct ReadingThread: Sendable, Hashable, CustomStringConvertible {
    /// The number that the system gave the thread, as `top -H` shows it.
    public let number: Int32
    /// The system's name of the thread; empty if the thread has just ended.
    public let name: String

    /// The name and the number, such as `worker (4711)`.
    public var description: String { name.isEmpty ? "(\(number))" : "\(name) (\(number))" }

    /// Returns the threads that two checks, 20 ms apart, both find inside. A single check would also return threads
    /// that are inside a read section only for a moment, for example during a dispatch.
    static func staying(_ world: (any StoreWorld)?) async -> [ReadingThread] {
        let first = Set(inside)
        let clock = world?.clock ?? ContinuousClock()
        try? await clock.sleep(for: .milliseconds(20))
        return inside.filter(first.contains)
    }

    /// The threads that are inside `withState` or another read section now, at most 64. A thread that has never read
    /// a published state is not among them.
    static var inside: [ReadingThread] {
        let most = 64
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: most) { numbers in
            let count = ReadSection.readers(numbers)
            return numbers[..<count].map { ReadingThread(number: $0, name: name(of: $0)) }
        }
    }

    /// Returns the system's name of a thread of this process, or an empty text if there is no such thread.
    static func name(of thread: Int32) -> String {
        guard let file = fopen("/proc/self/task/\(thread)/comm", "r") else { return "" }
        defer { fclose(file) }
        // Linux limits a thread's name to 15 bytes.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { line in
            guard let text = fgets(line.baseAddress, Int32(line.count), file) else { return "" }
            return String(String(cString: text).prefix { $0 != "\n" })
        }
    }
}
