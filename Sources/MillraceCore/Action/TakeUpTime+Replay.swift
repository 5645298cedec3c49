// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension TakeUpTime {
    /// A slot of each thread that holds the address of the time of a replay.
    private static let replayed: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The time of the action that a replay on this thread is reducing; nil outside of a replay.
    static var ofReplay: ActionTime? {
        pthread_getspecific(replayed)?.load(as: ActionTime.self)
    }

    /// Runs `body`, in which reducers that are made by `reduceAt` get a known time. Calls may be nested.
    package static func with<Result, Failure: Error>(
        _ time: ActionTime,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try replaying { (place) throws(Failure) in
            place.pointee = time
            return try body()
        }
    }

    /// Runs `body`, in which reducers that are made by `reduceAt` get the time that `body` has stored in the given
    /// place. For many actions, because this costs two system library calls only once.
    package static func replaying<Result, Failure: Error>(
        _ body: (UnsafeMutablePointer<ActionTime>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = pthread_getspecific(replayed)
        var time = ActionTime(nanosecondsSince1970: 0)
        return try withUnsafeMutablePointer(to: &time) { (place) throws(Failure) in
            pthread_setspecific(replayed, place)
            defer { pthread_setspecific(replayed, outer) }
            return try body(place)
        }
    }
}
