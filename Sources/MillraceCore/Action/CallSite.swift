// SPDX-License-Identifier: Apache-2.0

/// The place of a call of `handle` by hand, as in a test: the type of `.here()` there.
///
/// ```swift
/// var state = CartState()
/// let io = middleware.handle(action: .add(tea), from: .here(), state: { state })
/// ```
///
/// You never write its name. A call with `from: .here()` or `from: .init(file:function:line:info:)` goes through a
/// function of the library that accepts any state closure. The middleware's own `handle` accepts Sendable ones only,
/// because a store's getter may be used on any thread.
public struct CallSite: Sendable {
    /// The place as the source of an action.
    public let source: ActionSource

    /// Returns the place of this call.
    @inlinable
    public static func here(
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) -> CallSite {
        CallSite(source: ActionSource(file: file, function: function, line: line, info: info))
    }

    /// Creates a place that a test makes up.
    @inlinable
    public init(file: String, function: String, line: UInt, info: String? = nil) {
        source = ActionSource(file: file, function: function, line: line, info: info)
    }

    @inlinable
    init(source: ActionSource) {
        self.source = source
    }
}
