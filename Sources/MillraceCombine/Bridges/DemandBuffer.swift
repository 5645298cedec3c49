// SPDX-License-Identifier: Apache-2.0

import MillraceCore

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// The input of a ``DemandBuffer``, for a source that does not know the type of the subscriber.
class DemandInput<Input, Failure: Error>: @unchecked Sendable {
    // Unchecked because it has no properties; the subclass is responsible for its own.

    /// Adds a closure that ends the source. It is called at once if the subscription was cancelled before.
    func onCancel(_ body: @escaping @Sendable () -> Void) {}

    func push(_ value: Input) {}

    func finish(_ completion: Subscribers.Completion<Failure>) {}
}

/// Delivers values from a source without demand to a subscriber of Combine. Values that the subscriber has not
/// requested wait. The buffer is also the subscription that the subscriber receives.
///
/// It delivers one value at a time, in the order of arrival, without a lock held. If a thread finds another one
/// delivering, it leaves its value to that thread.
///
/// Values and subscribers are also released without the lock, because the end of a foreign object may call this buffer.
final class DemandBuffer<Downstream: Subscriber>: DemandInput<Downstream.Input, Downstream.Failure>, Subscription,
    @unchecked Sendable
{
    // Unchecked because all variables are touched only while `lock` is held; the downstream is called by one thread at
    // a time.
    private let lock = Lock()
    /// Nil after the end.
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var waiting: [Downstream.Input?] = []
    /// The number of places at the head of `waiting` whose values were delivered; nil is there. They are removed when
    /// they are half of the array.
    private var first = 0
    private var completion: Subscribers.Completion<Downstream.Failure>?
    private var isDelivering = false
    private var onCancel: [@Sendable () -> Void] = []
    private var isCancelled = false

    init(_ downstream: Downstream) {
        self.downstream = downstream
    }

    override func onCancel(_ body: @escaping @Sendable () -> Void) {
        lock.lock()
        if downstream != nil { onCancel.append(body) }
        let isCancelled = isCancelled
        lock.unlock()
        if isCancelled { body() }
    }

    override func push(_ value: Downstream.Input) {
        lock.lock()
        if downstream != nil, completion == nil { waiting.append(value) }
        lock.unlock()
        deliver()
    }

    override func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        lock.lock()
        if self.completion == nil { self.completion = completion }
        lock.unlock()
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        self.demand += demand
        lock.unlock()
        deliver()
    }

    func cancel() {
        lock.lock()
        isCancelled = true
        // Released after the lock, because they may own objects whose `deinit` runs foreign code.
        let remains = (downstream, waiting, onCancel)
        (downstream, waiting, first, onCancel) = (nil, [], 0, [])
        lock.unlock()
        for body in remains.2 { body() }
    }

    private enum Step {
        case value(Downstream, Downstream.Input)
        /// The closures are passed along to be released without the lock.
        case completion(Downstream, Subscribers.Completion<Downstream.Failure>, [@Sendable () -> Void])
    }

    private func deliver() {
        lock.lock()
        guard !isDelivering else { return lock.unlock() }
        isDelivering = true
        while let step = next() {
            lock.unlock()
            // It releases the step before it returns.
            let more = perform(consume step)
            lock.lock()
            guard let more else { break }
            demand += more
        }
        isDelivering = false
        lock.unlock()
    }

    /// Calls the subscriber, without the lock. Returns the demand that a value has added; nil after a completion.
    private func perform(_ step: consuming Step) -> Subscribers.Demand? {
        switch consume step {
        case .value(let downstream, let value):
            return downstream.receive(value)
        case .completion(let downstream, let completion, _):
            downstream.receive(completion: completion)
            return nil
        }
    }

    /// Returns the next step. Called while the lock is held.
    private func next() -> Step? {
        guard let downstream else { return nil }
        if first < waiting.count {
            guard demand > .none else { return nil }
            demand -= 1
            guard let value = waiting[first].take() else { preconditionFailure("a value was delivered twice") }
            first += 1
            if first * 2 >= waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            return .value(downstream, value)
        }
        guard let completion else { return nil }
        let remains = onCancel
        (self.downstream, onCancel) = (nil, [])
        return .completion(downstream, completion, remains)
    }
}
