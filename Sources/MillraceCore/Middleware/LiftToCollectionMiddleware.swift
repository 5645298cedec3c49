// SPDX-License-Identifier: Apache-2.0

/// A middleware adapted to the elements of a collection, each addressed by its id; made by `liftToCollection`.
public typealias LiftToCollectionMiddleware<
    GlobalInput,
    GlobalOutput,
    GlobalState,
    Elements: MutableCollection,
    Part: MiddlewareProtocol
> = LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Part.StateType.ID, Part>
where Part.StateType: Identifiable, Elements.Element == Part.StateType
