// SPDX-License-Identifier: Apache-2.0

/// Holds a state getter so that it can be passed on without an allocation.
///
/// A getter stored in a generic type is wrapped anew each time it is passed to code that knows the type of the state,
/// and each wrapping allocates. A closure that captures only this object has the object as its context, and allocates
/// nothing.
@usableFromInline
final class BoundGetter<StateType>: Sendable {
    @usableFromInline let read: GetState<StateType>

    @inlinable
    init(_ read: @escaping GetState<StateType>) {
        self.read = read
    }
}
