// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The thread that is running.
@usableFromInline
package enum CurrentThread {
    /// A number that no other running thread has; never 0. Costs a few instructions.
    @usableFromInline
    package static var number: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
