// SPDX-License-Identifier: Apache-2.0
//
// A key path literal in a lift: see scripts/lift-check.sh.

import MillraceCore

func lifted() -> some MiddlewareProtocol<PartAction, PartAction, AppState> {
    Part().lift(state: \AppState.b)
}
