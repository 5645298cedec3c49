// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// The design of SwiftRex 0.8 as an action sees it, written for this comparison. It is in a module of its own, like
/// that library.
///
/// Each action is one cycle on the main queue, started with one `async`. Middlewares are closures behind one type, and
/// their IOs are composed into one closure per action. The state is copied out of a subject, changed, and pushed back.
package final class Pipeline<Action: Sendable, State>: @unchecked Sendable {
    // Unchecked because all properties are constant, and their closures are called on the main queue only.
    private let subject: () -> Subject<State>
    private let reducer: Reducer<Action, State>
    private let middleware: ErasedMiddleware<Action, State>
    private let mainMark = DispatchSpecificKey<Bool>()

    package init<Base: Middleware>(
        subject: @escaping () -> Subject<State>,
        reducer: Reducer<Action, State>,
        middleware: Base
    ) where Base.Action == Action, Base.State == State {
        self.subject = subject
        self.reducer = reducer
        self.middleware = ErasedMiddleware(middleware)
        DispatchQueue.main.setSpecific(key: mainMark, value: true)
    }

    package func dispatch(
        _ action: Action,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(Dispatched(action: action, source: Source(file: file, function: function, line: line, info: info)))
    }

    package func dispatch(_ dispatched: Dispatched<Action>) {
        if DispatchQueue.getSpecific(key: mainMark) == true, Thread.isMainThread {
            cycle(dispatched)
        } else {
            DispatchQueue.main.async { self.cycle(dispatched) }
        }
    }

    private func cycle(_ dispatched: Dispatched<Action>) {
        let subject = subject
        let io = middleware.handle(action: dispatched.action, from: dispatched.source, state: { subject().read() })
        subject().mutate { reducer.reduce(dispatched.action, &$0) }
        io.run(Handler { [weak self] in self?.dispatch($0) })
    }
}
