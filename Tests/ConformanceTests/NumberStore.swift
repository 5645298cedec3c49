// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport

/// A store of numbers, whose pipeline runs where it is dispatched to; those from 10 on are written down.
func numberStore(
    _ middleware: sending some MiddlewareProtocol<Int, Int, Int>,
    _ outputs: Recorder<Int> = Recorder()
) -> ReduxStoreBase<Int, Int> {
    ReduxStoreBase(
        initialState: 0,
        reducer: .reduce { action, state in
            state += 1
            if action >= 10 { outputs.record(action) }
        },
        middleware: middleware,
        engine: .caller
    )
}
