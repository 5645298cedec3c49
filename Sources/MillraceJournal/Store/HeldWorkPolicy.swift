// SPDX-License-Identifier: Apache-2.0

/// What happens to IOs and effects of an action that is not durable yet.
public enum HeldWorkPolicy: Hashable, Sendable {
    /// They are held, and run on the pipeline's thread when the action is durable; meanwhile the pipeline handles the
    /// next actions. Only with the engine `.thread` and the order `.fifo`.
    case held
    /// At the first IO or effect of an action, the pipeline waits until the action is durable. Then it runs the IOs and
    /// effects before the next action. For every engine and order. A dispatch that runs the pipeline itself (with
    /// `.caller`, and with `.main` on the main queue) then blocks for the sync. A store whose state is in a subject has
    /// only this.
    case exact
}
