// SPDX-License-Identifier: Apache-2.0

/// What a recorder has for its queue to do, oldest first. It holds at most `room` actions and one chunk after the last
/// call, however long the queue stands still.
struct RecorderBacklog<Action: Sendable, State: Sendable> {
    enum Item {
        /// The state before the first action of the store.
        case base(State)
        case chunk([RecordedAction<Action>])
        /// Forget all earlier actions. The state is the one before this action.
        case restart(State, RecordedAction<Action>)
        /// Needs all actions before it, so a restart does not remove them.
        case call(() -> Void)
    }

    private var items: [Item] = []
    private var calls = 0
    /// The number of actions after the last call.
    private var actions = 0

    /// Whether more than `room` actions wait that a restart would remove.
    func isBehind(_ room: Int) -> Bool { actions > room }

    mutating func append(_ base: State) { items.append(.base(base)) }

    mutating func append(_ chunk: [RecordedAction<Action>]) {
        items.append(.chunk(chunk))
        actions += chunk.count
    }

    mutating func append(call: @escaping () -> Void) {
        items.append(.call(call))
        calls += 1
        actions = 0
    }

    /// Replaces everything after the last call.
    mutating func restart(_ base: State, _ action: RecordedAction<Action>) {
        while let last = items.last {
            if case .call = last { break }
            items.removeLast()
        }
        items.append(.restart(base, action))
        actions = 1
    }

    mutating func popFirst() -> Item? {
        guard let first = items.first else { return nil }
        items.removeFirst()
        switch first {
        case .call: calls -= 1
        case .chunk(let chunk) where calls == 0: actions -= chunk.count
        case .restart where calls == 0: actions -= 1
        default: break
        }
        return first
    }
}
