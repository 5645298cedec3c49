// SPDX-License-Identifier: Apache-2.0

// A gate stands before a middleware, so the core with its middlewares is exported with it.
@_exported public import MillraceCore
