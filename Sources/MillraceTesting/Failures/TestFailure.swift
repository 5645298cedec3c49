// SPDX-License-Identifier: Apache-2.0

/// A step of a test that failed: what went wrong, and where the step is written.
///
/// ``TestStore``, ``MiddlewareProbe`` and the steps report their failures to the running test, at the line of the step:
/// to Swift Testing as an issue, to XCTest as a failure. ``withReporter(_:_:)`` sends them elsewhere.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
    /// What went wrong. If two values were compared, with their difference.
    public let message: String
    /// The module and the file of the step, as `#fileID`.
    public let fileID: String
    /// The path of the file, as `#filePath`.
    public let filePath: String
    /// The line of the step.
    public let line: Int
    /// The column of the step.
    public let column: Int

    /// The place, then the message.
    public var description: String { "\(fileID):\(line): \(message)" }

    /// Hands the failures of `body` to a closure of yours, in place of the running test. Use it where another test
    /// framework runs, or to test your own helpers.
    ///
    /// ```swift
    /// TestFailure.withReporter { print($0) } _: {
    ///     store.send(.increment)
    /// }
    /// ```
    ///
    /// The reporter holds for the current task and its child tasks while `body` runs. If a test store is released, its
    /// failures go to the reporter that is set at that moment.
    ///
    /// - Parameters:
    ///   - report: Called with each failure, on the thread on which it was found.
    ///   - body: The code under test.
    public static func withReporter<Result>(
        _ report: @escaping @Sendable (TestFailure) -> Void,
        _ body: () throws -> Result
    ) rethrows -> Result {
        try $reporter.withValue(report, operation: body)
    }

    @TaskLocal static var reporter: (@Sendable (TestFailure) -> Void)?
}
