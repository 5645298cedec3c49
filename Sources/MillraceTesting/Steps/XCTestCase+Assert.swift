// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest)
    public import MillraceCore
    public import XCTest

    // The form of SwiftRex's TestingExtensions: `assert(…)` inside of a test case.
    extension XCTestCase {
        /// Runs steps against a middleware and a reducer, without a store.
        ///
        /// An action that the middleware dispatches waits until a ``Receive`` takes it: there is no re-entrancy.
        ///
        /// The test fails at the line of a step if the state after the step is not the state before it with the
        /// declared change. It also fails if an action waits at a ``Send`` or at the end, or if a ``Receive`` gets
        /// another action than expected.
        ///
        /// Effects run in real time. To move the time by hand, use ``TestStore``.
        ///
        /// - Parameters:
        ///   - initialValue: The state before the first step.
        ///   - reducer: The reducer.
        ///   - middleware: The middleware.
        ///   - steps: The steps.
        ///   - file: The file of the call, for the report.
        ///   - line: The line of the call.
        public func assert<M: MiddlewareProtocol>(
            initialValue: M.StateType,
            reducer: Reducer<M.InputActionType, M.StateType>,
            middleware: M,
            @StepBuilder<M.InputActionType, M.StateType> steps: () -> [Step<M.InputActionType, M.StateType>],
            file: StaticString = #filePath,
            line: UInt = #line
        ) where M.InputActionType == M.OutputActionType, M.StateType: Equatable {
            StepRunner(initialValue, reducer, middleware, ==).run(steps(), file: file, line: line)
        }

        /// Runs steps for a state that is not `Equatable`: `stateEquating` compares two states.
        public func assert<M: MiddlewareProtocol>(
            initialValue: M.StateType,
            reducer: Reducer<M.InputActionType, M.StateType>,
            middleware: M,
            stateEquating: @escaping (M.StateType, M.StateType) -> Bool,
            @StepBuilder<M.InputActionType, M.StateType> steps: () -> [Step<M.InputActionType, M.StateType>],
            file: StaticString = #filePath,
            line: UInt = #line
        ) where M.InputActionType == M.OutputActionType {
            StepRunner(initialValue, reducer, middleware, stateEquating).run(steps(), file: file, line: line)
        }

        /// Runs steps that are given as a list of arguments.
        public func assert<M: MiddlewareProtocol>(
            initialValue: M.StateType,
            reducer: Reducer<M.InputActionType, M.StateType>,
            middleware: M,
            steps: Step<M.InputActionType, M.StateType>...,
            file: StaticString = #filePath,
            line: UInt = #line
        ) where M.InputActionType == M.OutputActionType, M.StateType: Equatable {
            StepRunner(initialValue, reducer, middleware, ==).run(steps, file: file, line: line)
        }

        /// Runs steps that are given as a list of arguments, for a state that is not `Equatable`.
        public func assert<M: MiddlewareProtocol>(
            initialValue: M.StateType,
            reducer: Reducer<M.InputActionType, M.StateType>,
            middleware: M,
            stateEquating: @escaping (M.StateType, M.StateType) -> Bool,
            steps: Step<M.InputActionType, M.StateType>...,
            file: StaticString = #filePath,
            line: UInt = #line
        ) where M.InputActionType == M.OutputActionType {
            StepRunner(initialValue, reducer, middleware, stateEquating).run(steps, file: file, line: line)
        }
    }
#endif
