// SPDX-License-Identifier: Apache-2.0

/// A message to the pipeline that keeps its place among the actions. The pipeline's thread calls it, once.
@usableFromInline
final class PipelineMessage {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    func deliver() {
        body()
    }
}
