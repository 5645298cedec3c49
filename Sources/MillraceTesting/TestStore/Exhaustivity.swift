// SPDX-License-Identifier: Apache-2.0

/// How much a ``TestStore`` asks of its test.
public enum Exhaustivity: Sendable, Hashable {
    /// The test declares every change of the state, receives every action, and awaits the end of every effect.
    case on
    /// The test checks what it declares. Actions that it does not receive are handled unchecked, changes that it does not
    /// declare are allowed, and effects may still run at the end.
    case off
}
