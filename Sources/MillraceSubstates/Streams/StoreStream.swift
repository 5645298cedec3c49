// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Values that are made from the states of a store of substates: the value now, then one for each publication, unless
/// the stream leaves it out.
///
/// ```swift
/// let titles = store.states(of: Tasks.self).map(\.titles).removeDuplicates()
/// for await titles in titles { show(titles) }         // in a task
/// titles.subscribe { titles in show(titles) }         // on the pipeline's thread
/// titles.publisher                                    // for `MillraceCombine`, a publisher of Combine
/// ```
///
/// It corresponds to RxState's `Driver`: it gives each subscriber the latest value first, and cannot fail. It calls its
/// subscribers on the pipeline's thread, not on the main queue; for a view, use an `ObservableStore` of
/// `MillraceObservation`.
///
/// **Loops.** A loop gets every value. While the loop is slow, values wait without a limit; ``buffering(_:)`` sets
/// another rule. A loop ends when the store has ended.
///
/// **Cost.** Nothing until somebody subscribes. For each subscriber and publication the closures run once, on the
/// pipeline's thread. It does not keep the store alive.
public struct StoreStream<Value: Sendable>: AsyncSequence, Sendable {
    /// The values.
    public typealias Element = Value
    /// The sequence never throws.
    public typealias Failure = Never
    /// Returns the value for a published pair; nil if the pair gives none. Each subscriber has its own step, which is
    /// called on the pipeline's thread.
    typealias Step = @Sendable (StateLastAction) -> Value?

    let store: WeakStore
    let makeStep: @Sendable () -> Step
    var rule: StateBuffering = .bufferingAll

    /// Returns this stream with another rule for the values that wait for a slow loop.
    public func buffering(_ rule: StateBuffering) -> StoreStream {
        StoreStream(store: store, makeStep: makeStep, rule: rule)
    }

    /// Returns a stream of the values that a closure makes from these values.
    public func map<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> StoreStream<NewValue> {
        compactMap { transform($0) }
    }

    /// Returns a stream of the values that a closure makes from these values. If the closure returns nil, the value is
    /// left out.
    public func compactMap<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) -> NewValue?
    ) -> StoreStream<NewValue> {
        let makeStep = makeStep
        return StoreStream<NewValue>(
            store: store,
            makeStep: {
                let step = makeStep()
                return { pair in step(pair).flatMap(transform) }
            },
            rule: rule
        )
    }

    /// Returns this stream without the values that are duplicates of the previous one.
    public func removeDuplicates(by isDuplicate: @escaping @Sendable (Value, Value) -> Bool) -> StoreStream {
        let makeStep = makeStep
        return StoreStream(
            store: store,
            makeStep: {
                let step = makeStep()
                let last = Last<Value>()
                return { pair in
                    guard let value = step(pair) else { return nil }
                    return last.replace(by: value, unless: isDuplicate) ? value : nil
                }
            },
            rule: rule
        )
    }

    /// Calls a closure with the value now, then with each following one.
    ///
    /// The closure runs on the pipeline's thread, which waits for it: keep it short. It may dispatch: the pipeline
    /// handles that action later.
    ///
    /// - Returns: The subscription; nil if the store has ended. The subscription goes on until you call `unsubscribe()`
    ///   or the store ends. Releasing the subscription does not end it.
    @discardableResult
    public func subscribe(_ body: @escaping @Sendable (Value) -> Void) -> StateSubscription? {
        let step = makeStep()
        return store.base?.subscribe { pair in
            if let value = step(pair) { body(value) }
        }
    }

    /// The values as a publisher of `MillraceCore`. With `MillraceCombine` it is a publisher of Combine. It gives each
    /// subscriber the latest value first.
    public var publisher: UnfailablePublisherType<Value> {
        let (store, makeStep) = (store, makeStep)
        return UnfailablePublisherType { subscriber in
            let step = makeStep()
            guard let states = store.base?.statePublisher else {
                subscriber.onSubscribe(EndedSubscription())
                return EndedSubscription()
            }
            return states.subscribe(
                UnfailableSubscriberType(
                    onValue: { if let value = step($0) { subscriber.onValue(value) } },
                    onCompleted: subscriber.onCompleted,
                    onSubscribe: subscriber.onSubscribe
                )
            )
        }
    }
}

extension StoreStream where Value: Equatable {
    /// Returns this stream without the values that are equal to the previous one.
    public func removeDuplicates() -> StoreStream { removeDuplicates { $0 == $1 } }
}

/// A weak reference to a store, so that streams do not keep it alive.
final class WeakStore: @unchecked Sendable {
    // Unchecked because any thread may read a weak reference, and this one is never set again.
    private(set) weak var base: ReduxStoreBase<AnyActionType, StateLastAction>?

    init(_ base: ReduxStoreBase<AnyActionType, StateLastAction>) {
        self.base = base
    }
}

/// The value that a subscriber got last.
final class Last<Value>: @unchecked Sendable {
    // Unchecked because only the pipeline calls the steps of a stream, one at a time; the consumer role orders the
    // accesses of different threads.
    private var value: Value?

    /// Keeps a value and returns true. If the value is a duplicate of the previous one, returns false.
    func replace(by new: Value, unless isDuplicate: (Value, Value) -> Bool) -> Bool {
        if let value, isDuplicate(value, new) { return false }
        value = new
        return true
    }
}

/// The subscription to a store that has ended.
private struct EndedSubscription: SubscriptionType {
    func unsubscribe() {}
}
