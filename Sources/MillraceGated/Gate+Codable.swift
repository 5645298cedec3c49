// SPDX-License-Identifier: Apache-2.0

/// A gate is encoded as its ``state``, `"active"` or `"bypass"`, so that a settings file can hold gates. Decoding
/// makes a new gate.
extension Gate: Codable {
    /// Creates a gate with the decoded state.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try GateState(from: decoder))
    }

    /// Encodes the current state.
    public func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
    }
}
