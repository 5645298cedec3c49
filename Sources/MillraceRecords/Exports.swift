// SPDX-License-Identifier: Apache-2.0

// A record holds the time, cause and source of an action, and a replay runs reducers: the core is exported with them.
@_exported public import MillraceCore
