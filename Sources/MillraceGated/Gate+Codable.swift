// SPDX-License-Identifier: Apache-2.0

/// As its ``state``: `"active"` or `"bypass"`, so that a file of settings can hold gates. Decoding makes a
/// new gate.
extension Gate: Codable {
    /// A gate with the state that was kept.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try GateState(from: decoder))
    }

    /// Keeps the state as it is now.
    public func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
    }
}
