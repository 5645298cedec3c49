// SPDX-License-Identifier: Apache-2.0

/// What becomes of the works and effects that a middleware has under way when its gate closes.
///
/// In every case what was dispatched before the gate closed is handled, a work that was answered runs, and a cancelled
/// effect's actions that still wait are dropped.
public enum InFlightPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// They go on, and what they dispatch while the gate is closed is dropped. Once it is open again their outputs
    /// pass.
    case dropOutputs
    /// They go on, and what they dispatch passes, also what answers the action that closed the gate.
    case letFinish
    /// Effects are cancelled, as ``MillraceCore/MiddlewareProtocol/effectCanceller`` has it, also those that answer the
    /// action that closed the gate; what works dispatch while it is closed is dropped.
    case cancel
}
