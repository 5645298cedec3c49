// SPDX-License-Identifier: Apache-2.0

/// Reads the state of a bound middleware, and lends it instead of copying it.
///
/// ```swift
/// struct Limits: MiddlewareProtocol {
///     var book: StateReader<OrderBook>?
///
///     mutating func bind(_ binding: MiddlewareBinding<BookAction, OrderBook>) {
///         book = binding.state
///     }
///
///     func handle(
///         action: BookAction, from dispatcher: ActionSource, state: @escaping GetState<OrderBook>
///     ) -> IO<BookAction> {
///         let isFull = book?.withState { $0.orders.count >= 10_000 } ?? false
///         return isFull ? IO { output in output.dispatch(.full) } : .pure()
///     }
/// }
/// ```
///
/// It reads the same state as a getter: on the pipeline's thread the live state, on any other thread the latest
/// published snapshot.
///
/// **Inside a lift to an element** it reads the element that the current action addresses. There it may be used only in
/// `handle`, `afterReduce` and the IO of that action, on the thread that calls them, and two threads may not run IOs of
/// the middleware at the same time. Any other use stops the program with a message: a getter that `handle` received may
/// be kept instead.
///
/// **Cost.** `withState` keeps no copy: a call per lift around the middleware. The references in the state are counted
/// during the call if the compiler does not inline `body`, and in `afterReduce` and IOs inside a lift to an element.
/// Calling the reader copies the part that it reads, and nothing of the state around it. A lift by a closure that
/// computes its part computes it at each call.
public struct StateReader<State>: Sendable {
    @usableFromInline package let source: StateSource<State>

    @inlinable
    package init(_ source: StateSource<State>) {
        self.source = source
    }

    /// Creates a reader of what a getter returns, for use outside of a store.
    @inlinable
    public init(_ getter: @escaping GetState<State>) {
        source = StateSource(getter)
    }

    /// Returns a copy of the state at the moment of the call.
    @inlinable
    public func callAsFunction() -> State {
        source.copies?.copied()
        return source.read()
    }

    /// Calls `body` with the state, which it must not keep.
    ///
    /// `body` must return soon: while a thread other than the pipeline's is inside, no memory of any store is freed.
    @inlinable @inline(__always)
    public func withState<Result, Failure: Error>(
        _ body: (borrowing State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let live = source.live, source.isLive() { return try body(Borrowed.at(live).pointee.value) }
        if let address = source.address?() { return try body(Borrowed.at(address).pointee.value) }
        var result: Swift.Result<Result, Failure>?
        source.visit { state in
            do throws(Failure) {
                result = .success(try body(Borrowed.at(state).pointee.value))
            } catch {
                result = .failure(error)
            }
        }
        return try result.unsafelyUnwrapped.get()
    }

    /// Returns a reader of the part that `map` computes. `map` is called at each reading.
    @inlinable
    public func map<Part>(_ map: @escaping @Sendable (State) -> Part) -> StateReader<Part> {
        StateReader<Part>(source.part(map))
    }

    /// Returns a reader of the part at a key path.
    @inlinable
    public func map<Part>(_ path: KeyPath<State, Part>) -> StateReader<Part> {
        StateReader<Part>(source.part(PathReader(path)))
    }

    /// A getter for the state; nil inside a lift to an element, where each action has its own getter.
    @inlinable
    package var getter: GetState<State>? {
        guard source.isFixed else { return nil }
        return { [source] in source.read() }
    }
}
