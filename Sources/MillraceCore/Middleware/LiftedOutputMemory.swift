// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// Lifts the output that a store passes to `afterReduce`: only once, because a store always passes an output with the
/// same sink. An output with another sink is lifted at each call. Keeps that sink, so the store, until the middleware
/// is released.
@usableFromInline
package final class LiftedOutputMemory<Output, GlobalOutput>: @unchecked Sendable {
    // Unchecked: what is behind the raw pointer is Sendable, and only the pipeline's thread uses `kept`.
    @usableFromInline let make: @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>
    /// The first output that was lifted, a ``LiftedOutput`` that is retained for this place. Set once, releasing; pairs
    /// with the acquiring load in `find`, so that a thread that finds it also finds what it holds.
    @usableFromInline let first = Atomic<UnsafeRawPointer?>(nil)
    /// Memory for an output that is not the first one, while it is lent. Nil until it is needed.
    @exclusivity(unchecked) private var kept: UnsafeMutablePointer<AnyActionHandler<Output>>?

    /// - Parameter make: The function that lifts an output; it has to keep cause and run.
    @inlinable
    package init(_ make: @escaping @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>) {
        self.make = make
    }

    deinit {
        kept?.deallocate()
        // Acquiring, as in `find`: this thread need not be the one that has set it.
        guard let first = first.load(ordering: .acquiring) else { return }
        Unmanaged<LiftedOutput<Output, GlobalOutput>>.fromOpaque(first).release()
    }

    /// Returns the lifted output. Any thread.
    @inlinable
    package func lift(_ output: AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output> {
        if let found = find(output.sink) {
            return found._withUnsafeGuaranteedRef {
                AnyActionHandler(sink: $0.sink, cause: output.cause, run: output.run)
            }
        }
        return remember(make(output), for: output)
    }

    /// Calls `body` with the lifted output, which is not retained for the call. Only on the pipeline's thread of the
    /// store to which the middleware is bound, and only for `afterReduce`.
    @inlinable @inline(__always)
    package func lend(_ output: AnyActionHandler<GlobalOutput>, _ body: (AnyActionHandler<Output>) -> Void) {
        // One call of `body`: with a second copy of its code, the compiler would not inline the base.
        let found = output.run == nil ? find(output.sink) : nil
        let place = found?._withUnsafeGuaranteedRef { $0.place.of(output.cause) } ?? keep(lift(output))
        place.pointee.read(body)
        if found == nil { release() }
    }

    @inlinable @inline(__always)
    func find(_ sink: ActionSink<GlobalOutput>) -> Unmanaged<LiftedOutput<Output, GlobalOutput>>? {
        guard let first = first.load(ordering: .acquiring) else { return nil }
        let found = Unmanaged<LiftedOutput<Output, GlobalOutput>>.fromOpaque(first)
        return found._withUnsafeGuaranteedRef { $0.target === sink } ? found : nil
    }

    /// Keeps an output that has another sink, or a run, until `release`.
    @usableFromInline @inline(never)
    func keep(_ lifted: AnyActionHandler<Output>) -> UnsafePointer<Borrowed<AnyActionHandler<Output>>> {
        let place = kept ?? .allocate(capacity: 1)
        kept = place
        place.initialize(to: lifted)
        return Borrowed.at(UnsafePointer(place))
    }

    @usableFromInline @inline(never)
    func release() {
        kept?.deinitialize(count: 1)
    }

    @usableFromInline @inline(never)
    func remember(
        _ lifted: AnyActionHandler<Output>,
        for output: AnyActionHandler<GlobalOutput>
    ) -> AnyActionHandler<Output> {
        guard first.load(ordering: .relaxed) == nil else { return lifted }
        let new = Unmanaged.passRetained(LiftedOutput(target: output.sink, sink: lifted.sink))
        let (isSet, _) = first.compareExchange(
            expected: nil,
            desired: UnsafeRawPointer(new.toOpaque()),
            successOrdering: .releasing,
            failureOrdering: .relaxed
        )
        if !isSet { new.release() }
        return lifted
    }
}

/// The sink of a lifted output, and the sink that it passes its actions to.
@usableFromInline
final class LiftedOutput<Output, GlobalOutput>: @unchecked Sendable {
    // Unchecked because of `place`: only the pipeline's thread lends it.
    @usableFromInline let target: ActionSink<GlobalOutput>
    @usableFromInline let sink: ActionSink<Output>
    @usableFromInline let place: UnretainedOutput<Output>

    init(target: ActionSink<GlobalOutput>, sink: ActionSink<Output>) {
        self.target = target
        self.sink = sink
        place = UnretainedOutput(to: sink)
    }

    deinit {
        place.deallocate()
    }
}
