// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCombine
import MillraceCombineTesting
import MillraceTesting
import XCTest

final class PublisherAssertionTests: XCTestCase {
    private struct Broken: Error, Equatable {
        var code = 1
    }

    private func messages(_ body: () -> Void) -> [String] {
        let all = Messages()
        TestFailure.withReporter({ all.add($0.message) }, body)
        return all.list
    }

    private final class Messages: @unchecked Sendable {
        // Unchecked because this test uses it on one thread.
        private(set) var list: [String] = []

        func add(_ message: String) { list.append(message) }
    }

    func testValues() {
        let subject = PassthroughSubject<Int, Broken>()
        let waiter = assert(publisher: subject, eventuallyReceives: 1, 2)
        let completing = assert(publisher: subject, eventuallyReceives: 1, 2, andCompletes: true)
        let failing = assert(publisher: subject, eventuallyReceives: 1, 2, andCompletesWith: .isSuccess)
        // Used there alone from now on.
        nonisolated(unsafe) let sending = subject
        DispatchQueue.main.async {
            sending.send(1)
            sending.send(2)
            sending.send(completion: .finished)
        }
        waiter.wait(timeout: 30)
        completing.wait(timeout: 30)
        failing.wait(timeout: 30)
    }

    func testCompletions() {
        let failing = Fail<Int, Broken>(error: Broken())
        assert(publisher: failing, completesWithoutValues: .isFailure).wait(timeout: 30)
        assert(publisher: failing, completesWithoutValues: .failedWithError(Broken())).wait(timeout: 30)
        assert(publisher: failing, completesWithoutValues: .failedWithError { $0.code == 1 }).wait(timeout: 30)
        assert(publisher: Empty<Int, Broken>(), completesWithoutValues: .isSuccess).wait(timeout: 30)
        assert(publisher: Just(1), eventuallyReceives: 1, andCompletesWith: .init { _ in true }).wait(timeout: 30)
    }

    func testFailures() {
        let subject = PassthroughSubject<Int, Broken>()
        XCTAssertEqual(
            messages {
                assert(publisher: [1, 3].publisher, eventuallyReceives: 1, 2).wait(timeout: 30)
                assert(publisher: subject, eventuallyReceives: 1, andCompletes: true).wait(timeout: 0)
                assert(publisher: Fail<Int, Broken>(error: Broken()), eventuallyReceives: 1).wait(timeout: 30)
                assert(publisher: Just(1), completesWithoutValues: .isFailure).wait(timeout: 30)
            },
            [
                """
                The publisher sent other values than expected (- expected, + actual):
                      [
                        1
                    -   2
                    +   3
                      ]
                """,
                """
                The publisher sent other values than expected (- expected, + actual):
                    - [
                    -   1
                    - ]
                    + []
                """,
                "The publisher did not complete in time.",
                """
                The publisher sent other values than expected (- expected, + actual):
                    - [
                    -   1
                    - ]
                    + []
                """,
                "The publisher failed: 'Broken(code: 1)'",
                """
                The publisher sent other values than expected (- expected, + actual):
                    - []
                    + [
                    +   1
                    + ]
                """,
                "The publisher completed in another way than expected: '.finished'",
            ]
        )
    }
}
