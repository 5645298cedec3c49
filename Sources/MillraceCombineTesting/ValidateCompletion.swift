// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// What a test expects of the completion of a publisher.
public struct ValidateCompletion<Failure: Error> {
    let isExpected: (Subscribers.Completion<Failure>) -> Bool

    /// Creates an expectation: a closure that returns whether the completion is as expected.
    public init(validate: @escaping (Subscribers.Completion<Failure>) -> Bool) {
        isExpected = validate
    }

    /// The publisher finishes.
    public static var isSuccess: ValidateCompletion {
        ValidateCompletion { if case .finished = $0 { true } else { false } }
    }

    /// The publisher fails, with any error.
    public static var isFailure: ValidateCompletion {
        ValidateCompletion { if case .failure = $0 { true } else { false } }
    }

    /// The publisher fails with an error that a closure recognises.
    public static func failedWithError(_ isExpected: @escaping (Failure) -> Bool) -> ValidateCompletion {
        ValidateCompletion { if case .failure(let error) = $0 { isExpected(error) } else { false } }
    }

    /// The publisher fails with this error.
    public static func failedWithError(_ error: Failure) -> ValidateCompletion where Failure: Equatable {
        failedWithError { $0 == error }
    }
}
