// SPDX-License-Identifier: Apache-2.0

/// What the middleware of older versions of SwiftRex sets: it does not compile, and the message says what to write.
@available(
    *,
    unavailable,
    message: "return an IO from handle(action:from:state:): see 'Moving an app over from SwiftRex'"
)
public enum AfterReducer {}
