// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Where a step of a test is written.
package struct SourcePlace: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The source of an action that a step at this place dispatches.
    func source(_ function: StaticString) -> ActionSource {
        ActionSource(file: fileID, function: function, line: line)
    }

    /// Reports a failure of the step to the reporter, if there is one, and otherwise to the running test.
    package func fail(_ message: String) {
        if let reporter = TestFailure.reporter { return reporter(failure(message)) }
        #if canImport(Testing)
            let isInTest = Test.current != nil
        #else
            let isInTest = false
        #endif
        switch Self.framework(isInTest: isInTest, arguments: CommandLine.arguments) {
        case .swiftTesting:
            #if canImport(Testing)
                // On another thread or in a detached task, Swift Testing does not know the test. The issue then still
                // fails the run.
                Issue.record(Comment(rawValue: message), sourceLocation: location)
                return
            #endif
        case .xctest:
            #if canImport(XCTest)
                return XCTFail(message, file: filePath, line: line)
            #endif
        case nil: break
        }
        // No test runs, so nobody else would learn of the failure.
        FileHandle.standardError.write(Data("test failure outside of a test: \(failure(message))\n".utf8))
    }

    package enum Framework {
        case swiftTesting, xctest
    }

    /// The framework that runs the tests of this process; nil if the process is not a test run.
    ///
    /// - Parameter isInTest: Whether the task belongs to a test of Swift Testing.
    package static func framework(isInTest: Bool, arguments: [String]) -> Framework? {
        if isInTest || arguments.contains("swift-testing") { return .swiftTesting }
        return arguments.first?.contains("xctest") == true ? .xctest : nil
    }

    private func failure(_ message: String) -> TestFailure {
        TestFailure(message: message, fileID: name, filePath: "\(filePath)", line: Int(line), column: Int(column))
    }

    /// The module and the file. If the place has only a path, the last two parts of the path, because Swift Testing
    /// needs two.
    private var name: String {
        let name = "\(fileID)"
        let parts = name.split(separator: "/")
        guard name.hasPrefix("/") || parts.count < 2 else { return name }
        return parts.count < 2 ? "Tests/\(name)" : parts.suffix(2).joined(separator: "/")
    }

    #if canImport(Testing)
        private var location: SourceLocation {
            SourceLocation(fileID: name, filePath: "\(filePath)", line: max(1, Int(line)), column: max(1, Int(column)))
        }
    #endif
}
