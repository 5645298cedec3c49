// SPDX-License-Identifier: Apache-2.0

/// The getter and the output that the middleware of one element receives. Both are reused for the next action unless
/// the middleware kept them, so an action that is answered at once allocates nothing.
@usableFromInline
final class ElementMemory<GlobalInput, GlobalOutput, Key, Output, Element>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store to which the middleware is bound uses it.
    @usableFromInline typealias Visit = ElementGetter<Key, Element>
    @usableFromInline typealias LiftedOutput = ElementOutput<GlobalInput, GlobalOutput, Key, Output>

    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) var visit: Visit?
    @usableFromInline @exclusivity(unchecked) var output: LiftedOutput?
    /// Whether an action whose element exists is between `handle` and `afterReduce`.
    @usableFromInline @exclusivity(unchecked) var isOpen = false

    @inlinable
    init(find: @escaping (Key) -> Element?) {
        self.find = find
    }

    /// Stores a copy of the element and runs `body` with its getter; returns nil if the element does not exist.
    @inlinable
    func begin<Result>(_ key: Key, _ body: (@escaping GetState<Element>) -> Result) -> Result? {
        isOpen = false
        guard let snapshot = find(key) else { return nil }
        isOpen = true
        if isKnownUniquelyReferenced(&visit), let visit {
            visit.key = key
            visit.snapshot = snapshot
        } else {
            visit = Visit(find: find, key: key, snapshot: snapshot)
        }
        return resume(body)
    }

    /// Runs `body` with the getter of the element that `begin` found; returns nil if there was none.
    @inlinable
    func resume<Result>(_ body: (@escaping GetState<Element>) -> Result) -> Result? {
        guard isOpen, let visit else { return nil }
        return body { visit.read() }
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

    /// Ends the action: releases its values, and the objects that other code has kept.
    @inlinable
    func end() {
        isOpen = false
        if isKnownUniquelyReferenced(&visit) { visit?.snapshot = nil } else { visit = nil }
        if isKnownUniquelyReferenced(&output) { output?.address = nil } else { output = nil }
    }
}
