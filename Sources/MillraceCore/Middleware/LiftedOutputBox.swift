// SPDX-License-Identifier: Apache-2.0

/// Holds the function that lifts an output, so that it can be called without an allocation.
///
/// A function in an optional is stored in its most general form. Each time it is taken out, it is wrapped anew, which
/// allocates, unless the compiler inlines the code that follows.
@usableFromInline
final class LiftedOutputBox<GlobalOutput, Output>: Sendable {
    @usableFromInline let lift: @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>

    @inlinable
    init(_ lift: @escaping @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>) {
        self.lift = lift
    }
}
