// SPDX-License-Identifier: Apache-2.0

/// The rule for outputs and effects that a middleware has under way when its gate closes.
///
/// With every policy an action that was dispatched before the gate closed is handled, and an `IO` that was returned
/// is run. Waiting actions of a cancelled effect are removed from the queue and counted as cancelled.
public enum InFlightPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Effects go on. Actions that they or an `IO` dispatch while the gate is closed are dropped. Once the gate is
    /// open again, outputs pass.
    case dropOutputs
    /// Effects go on. All outputs pass, also those that answer the action that closed the gate.
    case letFinish
    /// Effects are cancelled by `MiddlewareProtocol.effectCanceller`, also those that answer the action
    /// that closed the gate. Actions that an `IO` dispatches while the gate is closed are dropped.
    case cancel
}
