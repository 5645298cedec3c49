// SPDX-License-Identifier: Apache-2.0

/// The type that marks a middleware without an `afterReduce` of its own.
///
/// You never write it. It tells the compiler, when it specialises a chain or a lift, that there is nothing to call.
public struct NoAfterReduce: Sendable {
    @inlinable
    init() {}
}
