// SPDX-License-Identifier: Apache-2.0

// As SwiftRex's bridge to Combine, it brings the store and the effects.
@_exported public import Millrace
@_exported public import MillraceEffects
