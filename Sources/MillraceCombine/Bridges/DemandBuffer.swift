// SPDX-License-Identifier: Apache-2.0

import MillraceCore

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// The end of a ``DemandBuffer`` where a source puts its values, whoever is at the other end.
class DemandInput<Input, Failure: Error>: @unchecked Sendable {
    // Unchecked because it has no properties; the subclass answers for its own.

    /// What ends the source; called at once if the subscription was cancelled.
    func onCancel(_ body: @escaping @Sendable () -> Void) {}

    func push(_ value: Input) {}

    func finish(_ completion: Subscribers.Completion<Failure>) {}
}

/// Gives a subscriber of Combine what comes from a source that knows no demand: what was not asked for waits.
///
/// One value at a time, in the order of arrival, without a lock held: who finds that somebody delivers already leaves the
/// value to them. It is the subscription that the subscriber is given.
final class DemandBuffer<Downstream: Subscriber>: DemandInput<Downstream.Input, Downstream.Failure>, Subscription,
    @unchecked Sendable
{
    // Unchecked because everything that changes is touched only while `lock` is held; the downstream is called by one
    // thread at a time.
    private let lock = Lock()
    /// Nil once it is over.
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var waiting: [Downstream.Input] = []
    /// Those of `waiting` before it have gone; moved up now and then.
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
        // Let go of after the lock: they may hold anything.
        let remains = (downstream, waiting, onCancel)
        (downstream, waiting, first, onCancel) = (nil, [], 0, [])
        lock.unlock()
        for body in remains.2 { body() }
    }

    private enum Step {
        case value(Downstream, Downstream.Input)
        /// With what is to be let go without the lock.
        case completion(Downstream, Subscribers.Completion<Downstream.Failure>, [@Sendable () -> Void])
    }

    private func deliver() {
        lock.lock()
        guard !isDelivering else { return lock.unlock() }
        isDelivering = true
        while let step = next() {
            lock.unlock()
            switch step {
            case .value(let downstream, let value):
                let more = downstream.receive(value)
                lock.lock()
                demand += more
            case .completion(let downstream, let completion, _):
                downstream.receive(completion: completion)
                lock.lock()
                isDelivering = false
                return lock.unlock()
            }
        }
        isDelivering = false
        lock.unlock()
    }

    /// With the lock.
    private func next() -> Step? {
        guard let downstream else { return nil }
        if first < waiting.count {
            guard demand > .none else { return nil }
            demand -= 1
            let value = waiting[first]
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
