// SPDX-License-Identifier: Apache-2.0

#if MILLRACE_SIMULATED
    import CMillrace

    /// The steps of the C core, in a build for simulation.
    package enum CoreSteps {
        /// Has `step` called with `context` between two steps of the calling thread; nil: nothing is called.
        package static func watch(
            _ step: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
            _ context: UnsafeMutableRawPointer?
        ) {
            millrace_step_set(step, context)
        }
    }
#endif
