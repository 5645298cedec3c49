// SPDX-License-Identifier: Apache-2.0

/// A message to the pipeline that keeps its place among the actions. The pipeline's thread calls it, once.
@usableFromInline
final class PipelineMessage {
    private let body: () -> Void
    /// In the consumer's list of late ones, which allocates nothing.
    @exclusivity(unchecked) var next: PipelineMessage?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    func deliver() {
        body()
    }
}

/// Whether messages are taken: until the pipeline ends, also after the intake of actions was closed.
struct MessageIntake {
    var isClosed = false
}
