// SPDX-License-Identifier: Apache-2.0

// A gate stands before a middleware: those come along.
@_exported public import MillraceCore
