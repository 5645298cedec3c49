// SPDX-License-Identifier: Apache-2.0

// The bridge to Combine exports the store and the effects, as SwiftRex's does.
@_exported public import Millrace
@_exported public import MillraceEffects

// It also exports Combine, so that a client can use `sink` or `AnyCancellable` without a package dependency of its
// own.
#if canImport(Combine)
    @_exported public import Combine
#else
    @_exported @preconcurrency public import OpenCombine
    // Makes DispatchQueue a scheduler, as with Combine.
    @_exported public import OpenCombineDispatch
#endif
