// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// The stages of an action, as `millrace_stage.h` numbers them.
@usableFromInline
enum Stage {
    @inlinable static var handling: UInt { 1 }
    @inlinable static var reducing: UInt { 2 }
    @inlinable static var effects: UInt { 3 }
    @inlinable static var notifying: UInt { 4 }
}
