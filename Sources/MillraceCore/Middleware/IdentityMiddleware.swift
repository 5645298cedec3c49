// SPDX-License-Identifier: Apache-2.0

/// A middleware that does nothing. It vanishes in a composition.
public struct IdentityMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Equatable,
    Sendable
{
    /// A middleware that does nothing.
    @inlinable
    public init() {}

    /// Answers with nothing to do.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        .pure()
    }

    /// Answers with nothing to do. As it does nothing, the probe is told nothing.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        .pure()
    }
}
