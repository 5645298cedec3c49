// SPDX-License-Identifier: Apache-2.0

// As SwiftRex's bridge to Combine, it brings the store and the effects.
@_exported public import Millrace
@_exported public import MillraceEffects

// And its publishers, so that a client needs no package of its own to write `sink` or `AnyCancellable`.
#if canImport(Combine)
    @_exported public import Combine
#else
    @_exported @preconcurrency public import OpenCombine
    // DispatchQueue is a scheduler, as with Combine.
    @_exported public import OpenCombineDispatch
#endif
