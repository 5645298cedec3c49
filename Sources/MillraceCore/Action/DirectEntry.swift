// SPDX-License-Identifier: Apache-2.0

/// What an ``AnyActionHandler`` calls instead of a sink's virtual method: a closure that is specialised where the store
/// was made. It gets the action and its source one by one, so that neither is copied.
@usableFromInline
package final class DirectEntry<ActionType> {
    @usableFromInline package typealias Body = (consuming ActionType, ActionSource, ActionCause, EffectRun?) -> Void

    @usableFromInline package let body: Body

    @inlinable
    package init(_ body: @escaping Body) {
        self.body = body
    }
}
