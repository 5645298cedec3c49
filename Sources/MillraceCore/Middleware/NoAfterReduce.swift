// SPDX-License-Identifier: Apache-2.0

/// Says that a middleware has no `afterReduce` of its own.
///
/// You never write it: by this type the compiler knows, when it specialises a chain or a lift, that there is nothing to
/// call.
public struct NoAfterReduce: Sendable {
    @inlinable
    init() {}
}
