// SPDX-License-Identifier: Apache-2.0

// A store of substates is a store with effects, so both are exported with it.
@_exported public import Millrace
@_exported public import MillraceEffects
