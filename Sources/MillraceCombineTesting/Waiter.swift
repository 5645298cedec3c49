// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Waits for what a publisher was expected to send. Keep it, cause the values, then call ``wait(timeout:)``.
public struct Waiter {
    let isDone: () -> Bool
    let check: () -> Void

    /// Waits until everything expected has come, at most for some seconds, and fails the test if something else came,
    /// or too little. On the main thread it runs the main queue meanwhile.
    ///
    /// - Parameter timeout: The longest wait, in seconds.
    public func wait(timeout: TimeInterval) {
        let end = Date(timeIntervalSinceNow: timeout)
        while !isDone(), Date() < end {
            if Thread.isMainThread { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002)) }
            if !isDone() { Thread.sleep(forTimeInterval: 0.0005) }
        }
        check()
    }
}
