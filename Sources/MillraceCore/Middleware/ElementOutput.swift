// SPDX-License-Identifier: Apache-2.0

/// Adds the element's key to the actions that the middleware of one element dispatches.
@usableFromInline
final class ElementOutput<GlobalInput, GlobalOutput, Key, Output>: ActionSink<Output>, @unchecked Sendable {
    // Unchecked: the variables are changed only on the pipeline's thread, while no other code has the object.
    @usableFromInline typealias Map = (GlobalInput, Key, Output) -> GlobalOutput?

    @usableFromInline let map: Map
    /// The target, the handled action and its key; nil while no output is in use.
    @usableFromInline @exclusivity(unchecked) var address:
        (target: ActionSink<GlobalOutput>, input: GlobalInput, key: Key)?

    @inlinable
    init(_ map: @escaping Map, target: ActionSink<GlobalOutput>, input: GlobalInput, key: Key) {
        self.map = map
        address = (target, input, key)
        super.init()
        guard target.findRoom != nil else { return }
        // Not retained: the caller of this closure holds this object.
        findRoom = { [unowned(unsafe) self] action in
            guard let (target, input, key) = self.address, let find = target.findRoom else { return nil }
            return self.map(input, key, action).flatMap(find)
        }
    }

    @inlinable
    override func accept(_ dispatchedAction: sending DispatchedAction<Output>, cause: ActionCause, run: EffectRun?) {
        forward(dispatchedAction, cause, run, isUrgent: false)
    }

    @inlinable
    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<Output>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        forward(dispatchedAction, cause, run, isUrgent: true)
    }

    @inlinable @discardableResult
    func forward(
        _ dispatchedAction: sending DispatchedAction<Output>,
        _ cause: ActionCause,
        _ run: EffectRun?,
        isUrgent: Bool
    ) -> OfferResult {
        guard let (target, input, key) = address else { return .accepted }
        let global = dispatchedAction.compactMap { map(input, key, $0) }
        guard let global else { return .accepted }
        return target.receive(global, cause: cause, run: run, isUrgent: isUrgent)
    }
}
