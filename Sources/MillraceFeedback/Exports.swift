// SPDX-License-Identifier: Apache-2.0

// A loop is a store, and what a feedback runs are effects.
@_exported public import Millrace
@_exported public import MillraceEffects
