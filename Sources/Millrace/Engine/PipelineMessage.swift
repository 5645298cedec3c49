// SPDX-License-Identifier: Apache-2.0

/// A message to the pipeline that takes its place among the actions. The consumer delivers it once.
@usableFromInline
final class PipelineMessage {
    private let body: () -> Void
    /// The next message in the consumer's list of late messages. The list needs no allocation.
    @exclusivity(unchecked) var next: PipelineMessage?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    func deliver() {
        body()
    }
}

/// The state of the intake of messages. It stays open until the pipeline ends, also after the intake of actions was
/// closed.
struct MessageIntake {
    var isClosed = false
}
