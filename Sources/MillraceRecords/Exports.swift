// SPDX-License-Identifier: Apache-2.0

// The types of an action's time, cause and source, and reducers, are part of this module's API, so it exports the core.
@_exported public import MillraceCore
