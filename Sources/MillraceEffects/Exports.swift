// SPDX-License-Identifier: Apache-2.0

// Effects are written in terms of actions, sources and middlewares: they come along.
@_exported public import MillraceCore
