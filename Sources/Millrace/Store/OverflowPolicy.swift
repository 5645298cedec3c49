// SPDX-License-Identifier: Apache-2.0

/// What `dispatch` does when a bounded store is full. An `offer` never follows it, it answers; a `send` waits.
///
/// Whatever is thrown away is counted in ``StoreMetrics/dropped``. What the pipeline itself dispatches and control
/// actions never are: see ``StoreCapacity``.
public enum OverflowPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The dispatching thread waits for room; places are granted in the order of waiting. For threads of your own: in a
    /// task use `await send`, which blocks no thread of the pool. A thread that waits is freed when the store closes, and
    /// its action is then rejected. If free places are reserved for tasks that cannot run because this thread is
    /// blocked, it takes one after one to two seconds, ahead of them.
    case block
    /// The action that does not fit is thrown away.
    case dropNewest
    /// The action goes in, and the oldest that waits is thrown away, however it came in: the pipeline does so at its
    /// next batch, from the head until the rest fits. At twice the capacity the newest is thrown away instead, so that
    /// memory stays bounded also while a handler is stuck. A `send` goes in where a `dispatch` does.
    case dropOldest
}
