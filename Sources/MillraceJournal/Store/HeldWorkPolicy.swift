// SPDX-License-Identifier: Apache-2.0

/// What happens to IOs and effects of an action that is not durable yet.
public enum HeldWorkPolicy: Hashable, Sendable {
    /// They are held, and run on the pipeline's thread when the action is durable; meanwhile the pipeline goes on with the
    /// next actions. Only with the engine `.thread` and the order `.fifo`.
    case held
    /// The pipeline waits at the first of them until the action is durable, then runs it before the next action. For every
    /// engine and order. A dispatch that runs the pipeline itself (`.caller`) then blocks for the sync.
    case exact
}
