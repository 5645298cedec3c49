// SPDX-License-Identifier: Apache-2.0

/// The getter and the output that a middleware of one element was given, kept for the next action unless the middleware
/// kept them: so that nothing is allocated for an action which is answered at once.
@usableFromInline
final class ElementMemory<GlobalInput, GlobalOutput, Key, Output, Element>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store that the middleware is bound to comes here.
    @usableFromInline typealias Visit = ElementGetter<Key, Element>
    @usableFromInline typealias LiftedOutput = ElementOutput<GlobalInput, GlobalOutput, Key, Output>

    @usableFromInline let find: (Key) -> Element?
    @usableFromInline @exclusivity(unchecked) var visit: Visit?
    @usableFromInline @exclusivity(unchecked) var output: LiftedOutput?
    /// Between `handle` and `afterReduce` of an action whose element was there.
    @usableFromInline @exclusivity(unchecked) var isOpen = false

    @inlinable
    init(find: @escaping (Key) -> Element?) {
        self.find = find
    }

    /// Takes a snapshot of the element and runs `body` with its getter; nil if there is no element.
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

    /// Runs `body` with the getter of the element for which `begin` ran; nil if there was none.
    @inlinable
    func resume<Result>(_ body: (@escaping GetState<Element>) -> Result) -> Result? {
        guard isOpen, let visit else { return nil }
        return body { visit.read() }
    }

    /// The output for `afterReduce`.
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

    /// The action is done with: lets go of all that it brought, and of what others now have.
    @inlinable
    func end() {
        isOpen = false
        if isKnownUniquelyReferenced(&visit) { visit?.snapshot = nil } else { visit = nil }
        if isKnownUniquelyReferenced(&output) { output?.address = nil } else { output = nil }
    }
}
