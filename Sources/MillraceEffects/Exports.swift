// SPDX-License-Identifier: Apache-2.0

// Effects use the actions, sources and middlewares of the core, so it is exported with them.
@_exported public import MillraceCore
