// SPDX-License-Identifier: Apache-2.0

/// The place where a bound middleware finds its state: the state of a store, or a part of it.
///
/// Closures, not virtual methods: the compiler specialises a closure where the store is made, but not the methods of a
/// generic class. An object, so that a getter that captures only this object is passed on without an allocation: its
/// context is the object.
///
/// **Invariant.** The memory at `live` belongs to the pipeline. It may be read only in `handle` and `afterReduce` that
/// the pipeline calls, and where `isLive` returns true. An IO, an output or a getter, which any thread may call, has to
/// ask, and so has a reader. There, it holds the state that `read` would return.
@usableFromInline
package final class StateSource<State>: @unchecked Sendable {
    // Unchecked: `live` is only an address; code that reads the memory is on the pipeline's thread. The closures are
    // Sendable, and nothing is changed after the initialiser.
    @usableFromInline package typealias Address = @Sendable () -> UnsafePointer<State>?
    @usableFromInline package typealias Visit = @Sendable ((UnsafePointer<State>) -> Void) -> Void

    /// Returns a copy of the state at the moment of the call.
    @usableFromInline package let read: GetState<State>
    /// Calls a closure once with the address of the state, which is valid during the call.
    @usableFromInline package let visit: Visit
    /// Returns where the state is, if this thread may read it there until the middleware's call ends; nil inside of no
    /// lift to an element.
    @usableFromInline package let address: Address?
    /// Where the state is while the pipeline calls its middlewares; nil if that differs, or if the state is computed.
    @usableFromInline package let live: UnsafePointer<State>?
    /// Whether the calling thread is the pipeline's, and the reducers do not run. Only called if `live` is not nil.
    @usableFromInline let isLive: @Sendable () -> Bool
    /// Keeps the memory at `live` alive.
    @usableFromInline let owner: AnyObject?
    /// Whether `read` returns the state that the getter of every action returns. False inside a lift to an element.
    @usableFromInline package let isFixed: Bool
    /// Told of each copy that a reader makes; nil outside of named middlewares.
    @usableFromInline let copies: ReaderCopies?

    @inlinable
    package convenience init(
        read: @escaping GetState<State>,
        visit: @escaping Visit,
        address: Address? = nil,
        live: UnsafePointer<State>? = nil,
        isLive: @escaping @Sendable () -> Bool = { false },
        owner: AnyObject? = nil,
        isFixed: Bool = true
    ) {
        self.init(
            read: read,
            visit: visit,
            address: address,
            live: live,
            isLive: isLive,
            owner: owner,
            isFixed: isFixed,
            copies: nil
        )
    }

    @inlinable
    init(
        read: @escaping GetState<State>,
        visit: @escaping Visit,
        address: Address?,
        live: UnsafePointer<State>?,
        isLive: @escaping @Sendable () -> Bool,
        owner: AnyObject?,
        isFixed: Bool,
        copies: ReaderCopies?
    ) {
        self.read = read
        self.visit = visit
        self.address = address
        self.live = live
        self.isLive = isLive
        self.owner = owner
        self.isFixed = isFixed
        self.copies = copies
    }

    /// Reads what a getter returns.
    @inlinable
    convenience init(_ getter: @escaping GetState<State>) {
        self.init(read: getter, visit: { body in withUnsafePointer(to: getter(), body) })
    }

    /// Returns a source of the same state whose readers report their copies.
    @usableFromInline
    func reporting(_ copies: ReaderCopies) -> StateSource {
        StateSource(
            read: read,
            visit: visit,
            address: address,
            live: live,
            isLive: isLive,
            owner: owner,
            isFixed: isFixed,
            copies: copies
        )
    }

    /// Calls `body` once with the address of the state, which is valid during the call: in place, without the call of
    /// `visit`, if the state is there and this thread may read it.
    @inlinable @inline(__always)
    package func lend(_ body: (UnsafePointer<State>) -> Void) {
        if let live, isLive() { return body(live) }
        visit(body)
    }
}

// Parts of a state. The larger state is lent to the function that finds the part, so it is not copied.
extension StateSource {
    /// Returns the source of a part that `map` computes.
    @inlinable
    package func part<Part>(_ map: @escaping @Sendable (State) -> Part) -> StateSource<Part> {
        StateSource<Part>(
            read: { [self] in
                var part: Part?
                lend { state in part = Borrowed.at(state, map) }
                return part.unsafelyUnwrapped
            },
            visit: { [self] body in
                lend { state in withUnsafePointer(to: Borrowed.at(state, map), body) }
            },
            address: nil,
            live: nil,
            isLive: { false },
            owner: nil,
            isFixed: isFixed,
            copies: copies
        )
    }

    /// Returns the source of the part at a key path, which is used as an offset if possible.
    @inlinable
    package func part<Part>(_ reader: PathReader<State, Part>) -> StateSource<Part> {
        guard reader.offset >= 0 else { return part { reader.read($0) } }
        return StateSource<Part>(
            read: { [self] in
                var part: Part?
                lend { state in part = reader.address(in: state).pointee }
                return part.unsafelyUnwrapped
            },
            visit: { [self] body in
                lend { state in body(reader.address(in: state)) }
            },
            address: partAddress(reader),
            live: live.map { reader.address(in: $0) },
            isLive: isLive,
            owner: owner,
            isFixed: isFixed,
            copies: copies
        )
    }

    @inlinable
    func partAddress<Part>(_ reader: PathReader<State, Part>) -> StateSource<Part>.Address? {
        guard let address else { return nil }
        return {
            guard let state = address() else { return nil }
            return reader.address(in: state)
        }
    }
}
