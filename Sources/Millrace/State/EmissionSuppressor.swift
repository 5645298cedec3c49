// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Whether a pipeline is pushing a state into its subject that the store's subscribers are not to be told of.
@usableFromInline
final class EmissionSuppressor: @unchecked Sendable {
    // Unchecked because `isKept` belongs to the pipeline's thread, and passes with that role.
    private let identity: UnsafeRawPointer
    @usableFromInline @exclusivity(unchecked) var isKept = false

    /// - Parameter identity: The frames of the pipeline.
    @usableFromInline
    init(identity: UnsafeRawPointer) {
        self.identity = identity
    }

    /// On the pipeline's thread, within its push. Of other threads' pushes nothing is kept silent, nor is the mark read.
    var isKeptHere: Bool { millrace_frame_runs(identity) && isKept }
}
