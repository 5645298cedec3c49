// SPDX-License-Identifier: Apache-2.0
//
// Compositions of `EffectMiddleware` and of `ComposedMiddleware`. The compiler must type-check each within 250 ms: see
// scripts/lift-check.sh. The limit is higher than in Chains.swift, because these types have overloads of `<>` of their
// own.

import MillraceCore
import MillraceEffects

func effectCompositions() {
    let effects = EffectMiddleware<PartAction, PartAction, Int, Void>.onAction { _, _, _ in .doNothing }

    let effectParts =
        effects.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.a)
        <> effects.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.b)
        <> effects.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.c)
        <> effects.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.d)
        <> effects.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.e)
        <> effects.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.f)
        <> effects.lift(inputAction: \AppAction.a, outputAction: AppAction.a, state: \AppState.g)
        <> effects.lift(inputAction: \AppAction.b, outputAction: AppAction.b, state: \AppState.h)

    let effectClosures: EffectMiddleware<AppAction, AppAction, AppState, Void> =
        effects.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.a })
        <> effects.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.b })
        <> effects.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.c })
        <> effects.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.d })
        <> effects.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.e })
        <> effects.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.f })
        <> effects.lift(inputAction: { $0.a }, outputAction: { .a($0) }, state: { $0.g })
        <> effects.lift(inputAction: { $0.b }, outputAction: { .b($0) }, state: { $0.h })
}

func manyParts(
    effects: EffectMiddleware<AppAction, AppAction, AppState, Void>,
    composed: Composed,
    erased: Erased
) {
    let manyEffects =
        effects <> effects <> effects <> effects
        <> effects <> effects <> effects <> effects
        <> effects <> effects <> effects <> effects

    let manyComposites =
        composed <> composed <> composed <> composed
        <> composed <> composed <> composed <> composed
        <> composed <> composed <> composed <> composed

    let mixed: Composed =
        effects <> composed <> erased <> effects
        <> composed <> erased <> effects <> composed
        <> erased <> effects <> composed <> erased
}
