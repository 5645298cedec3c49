// SPDX-License-Identifier: Apache-2.0

/// What a ``PipelineProbe`` is told when the pipeline takes up a batch.
public struct ProbedBatch: Sendable, Hashable {
    /// How many actions were waiting.
    public let depth: Int
    /// How many this batch takes at most.
    public let limit: Int

    /// A batch.
    @inlinable
    public init(depth: Int, limit: Int) {
        self.depth = depth
        self.limit = limit
    }
}
