// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Millrace
import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
    import OpenCombineDispatch
#endif

extension StoreEngine {
    /// Runs the pipeline of a store on a scheduler, in turns of up to 1,024 actions.
    ///
    /// A dispatch queue (also as `queue.ocombine`) is the same as `.queue(_:)`, `ImmediateScheduler` the same as
    /// `.caller`, and ``ASAPScheduler`` the same as `.main`. On any other scheduler each burst of actions costs one
    /// `schedule`. The scheduler may have several threads, but the pipeline runs on only one at a time.
    ///
    /// Of any other scheduler the store does not know on which threads it runs. If it has only one, code that it runs
    /// must not wait for the store: not by a `dispatch` to a full store with the policy `.block`, and not by a read of
    /// an `.onDemand` store. The pipeline would need the thread that waits. Code inside the pipeline may do both.
    public static func scheduler<Context: Scheduler>(_ scheduler: Context) -> StoreEngine {
        if let queue = scheduler as? DispatchQueue { return .queue(queue) }
        #if !canImport(Combine)
            if let queue = scheduler as? DispatchQueue.OCombine { return .queue(queue.queue) }
        #endif
        if scheduler is ImmediateScheduler { return .caller }
        if scheduler is ASAPScheduler { return .main }
        // Unchecked: schedulers are meant to be shared.
        let make = Unchecked<(HostedPipeline) -> any PipelineHost> { SchedulerHost(scheduler, $0) }
        return .hosted { make.value($0) }
    }
}
