// SPDX-License-Identifier: Apache-2.0

/// Holds a state getter so that it can be handed out without an allocation.
///
/// A getter stored in a generic type is wrapped anew, which allocates, each time it is handed to code that knows the
/// type of the state. A closure that captures this object alone has the object as its context, and allocates nothing.
@usableFromInline
final class BoundGetter<StateType>: Sendable {
    @usableFromInline let read: GetState<StateType>

    @inlinable
    init(_ read: @escaping GetState<StateType>) {
        self.read = read
    }
}
