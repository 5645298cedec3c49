// SPDX-License-Identifier: Apache-2.0
//
// Compositions of eight lifted effect middlewares, each of which the compiler must understand within 500 ms: see
// scripts/lift-check.sh. They take longer than others because `<>` has two more meanings for them.

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
