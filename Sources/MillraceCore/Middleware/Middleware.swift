// SPDX-License-Identifier: Apache-2.0

/// The middleware of older versions of SwiftRex: it does not compile, and the message says what to write.
@available(*, unavailable, message: "conform to MiddlewareProtocol: see 'Moving an app over from SwiftRex'")
public protocol Middleware {}
