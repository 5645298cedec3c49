// SPDX-License-Identifier: Apache-2.0

/// A message to the pipeline that takes its place among the actions. The consumer delivers it once.
@usableFromInline
final class PipelineMessage {
    private let body: () -> Void
    /// The next message in `Consumer.late`: messages that the pipeline sent itself while the queue had no memory. They
    /// are linked by this field, so the list needs no allocation. Only the consumer touches it.
    @exclusivity(unchecked) var next: PipelineMessage?

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    func deliver() {
        body()
    }
}

/// The state of the intake of messages. It is closed when the consumer begins to end the pipeline, which is later than
/// the intake of actions. From then on only the pipeline itself may send messages.
struct MessageIntake {
    var isClosed = false
}
