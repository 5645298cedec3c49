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
    @usableFromInline let scope: ElementScope<Key, Element>?
    @usableFromInline @exclusivity(unchecked) var getter: Getter?
    @usableFromInline @exclusivity(unchecked) var output: LiftedOutput?
    /// Whether an action whose element exists is between `handle` and `afterReduce`.
    @usableFromInline @exclusivity(unchecked) var isOpen = false

    @inlinable
    init(vanished: VanishedElement, scope: ElementScope<Key, Element>?, find: @escaping (Key) -> Element?) {
        self.vanished = vanished
        self.scope = scope
        self.find = find
    }

    /// Begins an action: runs `body` with the getter of its element; returns nil if the element does not exist.
    @inlinable
    func begin<Result>(_ key: Key, _ body: (@escaping GetState<Element>) -> Result) -> Result? {
        isOpen = false
        guard let element = find(key) else { return nil }
        isOpen = true
        if isKnownUniquelyReferenced(&getter) {
            Unmanaged.passUnretained(getter.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.begin(key, element) }
        } else {
            getter = Getter(find: find, key: key, element: element)
        }
        if vanished == .snapshot { getter?.keep() }
        return call(body)
    }

    /// Goes on after the reducers: runs `body` with the getter of the element that `begin` found. Returns false if the
    /// reducers have removed the element, and the middleware is to be skipped then.
    @inlinable
    func resume(_ body: (@escaping GetState<Element>) -> Void) -> Bool {
        guard isOpen, let getter else { return true }
        guard getter.refresh() || vanished == .snapshot else { return false }
        call(body)
        return true
    }

    @inlinable @inline(__always)
    func call<Result>(_ body: (@escaping GetState<Element>) -> Result) -> Result {
        let getter = getter.unsafelyUnwrapped
        guard let scope else { return body { getter.read() } }
        return scope.within(getter) { body { getter.read() } }
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
