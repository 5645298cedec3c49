// SPDX-License-Identifier: Apache-2.0

import MillraceTesting

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// Expects values of a publisher, in this order and no others.
///
/// ```swift
/// let waiter = assert(publisher: subject, eventuallyReceives: 1, 2, andCompletes: true)
/// subject.send(1)
/// subject.send(2)
/// subject.send(completion: .finished)
/// waiter.wait(timeout: 1)
/// ```
///
/// - Parameters:
///   - publisher: The publisher; it is subscribed to at once.
///   - values: The values.
///   - andCompletes: Whether the publisher must finish, too. A failure always fails the test.
///   - file: The file of the failure.
///   - line: The line of the failure.
/// - Returns: A waiter; without a call of its `wait` nothing is checked.
public func assert<P: Publisher>(
    publisher: P,
    eventuallyReceives values: P.Output...,
    andCompletes: Bool = false,
    file: StaticString = #filePath,
    line: UInt = #line
) -> Waiter where P.Output: Equatable {
    PublisherRecord(publisher).waiter(
        for: values,
        areEqual: { $0 == $1 },
        mustComplete: andCompletes,
        completion: nil,
        SourcePlace(file, file, line, 1)
    )
}

/// Expects values of a publisher, then a completion.
public func assert<P: Publisher>(
    publisher: P,
    eventuallyReceives values: P.Output...,
    andCompletesWith completion: ValidateCompletion<P.Failure>,
    file: StaticString = #filePath,
    line: UInt = #line
) -> Waiter where P.Output: Equatable {
    PublisherRecord(publisher).waiter(
        for: values,
        areEqual: { $0 == $1 },
        mustComplete: true,
        completion: completion.isExpected,
        SourcePlace(file, file, line, 1)
    )
}

/// Expects a completion of a publisher, without values before.
public func assert<P: Publisher>(
    publisher: P,
    completesWithoutValues completion: ValidateCompletion<P.Failure>,
    file: StaticString = #filePath,
    line: UInt = #line
) -> Waiter {
    PublisherRecord(publisher).waiter(
        for: [],
        areEqual: { values, _ in values.isEmpty },
        mustComplete: true,
        completion: completion.isExpected,
        SourcePlace(file, file, line, 1)
    )
}
