// SPDX-License-Identifier: Apache-2.0

/// The getter and the output that the middleware of one element receives. Both are reused for the next action unless
/// the middleware kept them, so an action that is answered at once allocates nothing.
///
/// **Invariant.** While the reducers run, no copy of the element exists, so that they need not copy its containers. The
/// exceptions are ``VanishedElement/snapshot``, and a getter that `handle` gave to other code than an IO.
@usableFromInline
final class ElementMemory<GlobalInput, GlobalOutput, Key, Output, Element>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store to which the middleware is bound uses it.
    @usableFromInline typealias Getter = ElementGetter<Key, Element>
    @usableFromInline typealias LiftedOutput = ElementOutput<GlobalInput, GlobalOutput, Key, Output>

    @usableFromInline let find: (Key) -> Element?
    @usableFromInline let vanished: VanishedElement
    @usableFromInline @exclusivity(unchecked) var getter: Getter?
    @usableFromInline @exclusivity(unchecked) var output: LiftedOutput?
    /// Whether an action whose element exists is between `handle` and `afterReduce`.
    @usableFromInline @exclusivity(unchecked) var isOpen = false
    /// Memory for the element during `handle`; nil if this object is made for one action.
    @usableFromInline let place: UnsafeMutablePointer<Element?>?

    @inlinable
    init(vanished: VanishedElement, isForOneAction: Bool, find: @escaping (Key) -> Element?) {
        self.vanished = vanished
        self.find = find
        place = isForOneAction ? nil : .allocate(capacity: 1)
        place?.initialize(to: nil)
    }

    deinit {
        place?.deinitialize(count: 1)
        place?.deallocate()
    }

    /// Begins an action. Returns whether its element, which `element` finds, exists.
    @inlinable @inline(__always)
    func begin(_ key: Key, _ element: () -> Element?) -> Bool {
        // Once an action has ended, nobody else holds the getter.
        if isOpen, !isKnownUniquelyReferenced(&getter) { getter = nil }
        if getter == nil { getter = Getter(find: find, key: key) }
        isOpen = Unmanaged.passUnretained(getter.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            $0.begin(key, at: place, element)
        }
        if isOpen, vanished == .snapshot { getter?.keep() }
        return isOpen
    }

    /// Goes on after the reducers: runs `body` with the getter of the element that `begin` found. Returns false if the
    /// reducers have removed the element, and the middleware is to be skipped then.
    @inlinable
    func resume(_ scope: Unmanaged<ElementScope<Key, Element>>?, _ body: (@escaping GetState<Element>) -> Void) -> Bool
    {
        guard isOpen, let getter else { return true }
        guard getter.refresh() || vanished == .snapshot else { return false }
        call(scope, body)
        return true
    }

    /// Runs `body` with the getter of the element.
    @inlinable @inline(__always)
    func call<Result>(
        _ scope: Unmanaged<ElementScope<Key, Element>>?,
        _ body: (@escaping GetState<Element>) -> Result
    ) -> Result {
        // Not retained: `getter` is replaced after the call only.
        Unmanaged.passUnretained(getter.unsafelyUnwrapped)._withUnsafeGuaranteedRef { getter in
            guard let scope else { return body { getter.read() } }
            return scope._withUnsafeGuaranteedRef { scope in scope.handling(getter) { body { getter.read() } } }
        }
    }

    /// Returns the output for `afterReduce`.
    @inlinable
    func lift(
        _ global: AnyActionHandler<GlobalOutput>,
        _ map: @escaping LiftedOutput.Map,
        input: GlobalInput,
        key: Key
    ) -> AnyActionHandler<Output> {
        let sink: LiftedOutput
        if isKnownUniquelyReferenced(&output), let output {
            output.address = (global.sink, input, key)
            sink = output
        } else {
            sink = LiftedOutput(map, target: global.sink, input: input, key: key)
            output = sink
        }
        return AnyActionHandler(sink: sink, cause: global.cause, run: global.run)
    }

    /// Lets go of the element while the reducers run. `afterReduce` finds it again.
    @inlinable
    func suspend() {
        getter?.endCall()
    }

    /// Ends the action: releases its values, and the objects that other code has kept.
    ///
    /// - Parameter keeping: Whether a getter that was kept must keep the element now: no IO finds it again.
    @inlinable
    func end(keeping: Bool = false) {
        isOpen = false
        if isKnownUniquelyReferenced(&getter) {
            Unmanaged.passUnretained(getter.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.reset() }
        } else {
            if keeping { getter?.keep() }
            getter?.endCall()
            getter = nil
        }
        guard output != nil else { return }
        if isKnownUniquelyReferenced(&output) { output?.address = nil } else { output = nil }
    }
}
