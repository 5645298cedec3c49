// SPDX-License-Identifier: Apache-2.0

/// Holds what lifts an output, so that it can be called without an allocation.
///
/// A function that is kept in an optional is kept in its most general form, and is wrapped anew, which allocates,
/// whenever it is taken out and the compiler does not inline what follows.
@usableFromInline
final class LiftedOutputBox<GlobalOutput, Output>: Sendable {
    @usableFromInline let lift: @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>

    @inlinable
    init(_ lift: @escaping @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>) {
        self.lift = lift
    }
}
