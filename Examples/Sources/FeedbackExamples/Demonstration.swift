// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import MillraceFeedback

/// A claim of an example that turned out wrong, for continuous integration.
package struct NotTrue: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

extension ViewModel {
    /// Waits until a state is as expected, at most half a minute.
    package func wait(until claim: String, _ holds: @escaping @Sendable (State) -> Bool) async throws {
        let state = self.state
        let isTrue = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await state in state where holds(state) { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(30))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        if !isTrue {
            throw NotTrue(description: "not true after half a minute: \(claim); the state is \(currentState)")
        }
    }
}

/// The lines that a person types, if the standard input is a terminal; otherwise nil.
package func typedLines() -> AsyncStream<String>? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    return AsyncStream { lines in
        Thread.detachNewThread {
            while let line = readLine() { lines.yield(line) }
            lines.finish()
        }
    }
}
