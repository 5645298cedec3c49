// SPDX-License-Identifier: Apache-2.0

/// How much a test must declare to a ``TestStore``.
public enum Exhaustivity: Sendable, Hashable {
    /// The test must declare every change of the state and receive every action, and no effect may run at the end.
    case on
    /// The test checks what it declares. Actions that it does not receive are handled unchecked, changes that it does
    /// not declare are allowed, and effects may still run at the end.
    case off
}
