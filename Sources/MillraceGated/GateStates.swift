// SPDX-License-Identifier: Apache-2.0

/// The states of a ``Gate``: the current one, then each one that differs from the one before.
///
/// ```swift
/// for await state in gate.states { print("the audit is", state) }
/// ```
///
/// A slow reader misses flips, but never the last one. The sequence ends when its task is cancelled. Each loop has its
/// own iterator.
public struct GateStates: AsyncSequence, Sendable {
    let gate: Gate

    /// Starts to observe the gate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(gate)
    }

    /// An iterator that waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
        private let gate: Gate
        private let observation: GateObservation
        // The stream says only that a flip happened. The state is read from the gate, so the order of signals does not
        // matter.
        private var flips: AsyncStream<Void>.Iterator
        private var last: GateState?

        init(_ gate: Gate) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.gate = gate
            observation = gate.observe { _ in continuation.yield() }
            flips = stream.makeAsyncIterator()
            continuation.yield()
        }

        /// Returns the next state; nil when the task is cancelled.
        public mutating func next() async -> GateState? {
            while await flips.next() != nil {
                let state = gate.state
                if state == last { continue }
                last = state
                return state
            }
            return nil
        }
    }
}
