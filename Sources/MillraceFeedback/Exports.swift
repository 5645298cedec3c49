// SPDX-License-Identifier: Apache-2.0

// A feedback loop runs in a store of Millrace, and a feedback runs effects of MillraceEffects.
@_exported public import Millrace
@_exported public import MillraceEffects
