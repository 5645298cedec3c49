// SPDX-License-Identifier: Apache-2.0

import MillraceTesting
import Testing

@Suite("Where failures go")
struct FrameworkTests {
    private let swiftTesting = ["all.xctest", "--testing-library", "swift-testing", "--filter", "a"]

    @Test("to Swift Testing, also from a task that knows no test")
    func swift() {
        #expect(SourcePlace.framework(isInTest: true, arguments: swiftTesting) == .swiftTesting)
        #expect(SourcePlace.framework(isInTest: false, arguments: swiftTesting) == .swiftTesting)
        #expect(SourcePlace.framework(isInTest: true, arguments: ["all.xctest"]) == .swiftTesting)
    }

    @Test("to XCTest, or to nobody in a program")
    func others() {
        #expect(SourcePlace.framework(isInTest: false, arguments: ["/a/all.xctest"]) == .xctest)
        #expect(SourcePlace.framework(isInTest: false, arguments: ["/a/program"]) == nil)
        #expect(SourcePlace.framework(isInTest: false, arguments: []) == nil)
    }
}
