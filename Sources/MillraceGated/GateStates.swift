// SPDX-License-Identifier: Apache-2.0

/// The states of a ``Gate``: the one it has, then each that is different from the one before.
///
/// ```swift
/// for await state in gate.states { print("the audit is", state) }
/// ```
///
/// Who is slow misses flips, and never the last one. It ends when its task is cancelled. Each loop has its own.
public struct GateStates: AsyncSequence, Sendable {
    let gate: Gate

    /// Starts to watch.
    public func makeAsyncIterator() -> Iterator {
        Iterator(gate)
    }

    /// Waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
        private let gate: Gate
        private let observation: GateObservation
        // That something has happened, and not what: the gate is asked, so that no order is lost.
        private var flips: AsyncStream<Void>.Iterator
        private var last: GateState?

        init(_ gate: Gate) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.gate = gate
            observation = gate.observe { _ in continuation.yield() }
            flips = stream.makeAsyncIterator()
            continuation.yield()
        }

        /// The next state; nil when the task is cancelled.
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
