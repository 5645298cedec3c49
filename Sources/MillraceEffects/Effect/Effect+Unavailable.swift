// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// Declarations that never compile: the compiler chooses one only where nothing else fits, and its message says how to
// correct the mistake. scripts/errors-test.sh compares the messages.
extension Effect {
    /// Runs a closure that throws, without `catchErrors`: it does not compile, and the message says what is missing.
    @available(
        *,
        unavailable,
        message: "the closure throws: add catchErrors, .task { try await … } catchErrors: { error in … }"
    )
    @_disfavoredOverload
    public static func task(
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        priority: TaskPriority? = nil,
        retry: RetryPolicy = .never,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        perform: @escaping @Sendable (Context) async throws -> OutputAction?
    ) -> Effect {
        .doNothing
    }

    /// Reads a sequence that has to be waited for: it does not compile, and the message says why.
    @available(
        *,
        unavailable,
        message: "return the sequence without await and try: wait inside of it, as in an AsyncThrowingStream"
    )
    @_disfavoredOverload
    public static func stream<Actions: AsyncSequence>(
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        priority: TaskPriority? = nil,
        retry: RetryPolicy = .never,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil,
        _ actions: @escaping @Sendable (Context) async throws -> Actions,
        catchErrors: @escaping @Sendable (any Error) -> OutputAction? = { _ in nil }
    ) -> Effect where Actions.Element == OutputAction {
        .doNothing
    }
}
