// SPDX-License-Identifier: Apache-2.0

/// The data of a batch that a ``PipelineProbe`` receives.
public struct ProbedBatch: Sendable, Hashable {
    /// The number of slots in use: actions and messages that wait in the queue.
    public let depth: Int
    /// The most slots that this batch may take.
    public let limit: Int

    /// Creates the data of a batch.
    @inlinable
    public init(depth: Int, limit: Int) {
        self.depth = depth
        self.limit = limit
    }
}
