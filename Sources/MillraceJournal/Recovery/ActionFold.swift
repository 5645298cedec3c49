// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords

/// Applies a reducer to the actions of records.
///
/// It is generic over the action itself, not over a codec or a folder, so that its loop looks up no type.
struct ActionFold<Action, State>: ~Copyable {
    private let reducer: Reducer<Action, State>
    private let decode: EntryCoder<Action>.Decode
    private let action = UnsafeMutablePointer<Action>.allocate(capacity: 1)

    init(_ reducer: Reducer<Action, State>, _ coder: EntryCoder<Action>) {
        self.reducer = reducer
        decode = coder.decode
    }

    deinit {
        action.deallocate()
    }

    /// Throws if an action cannot be decoded by the route of its kind.
    func check(_ view: RecordView, route: Int) throws(CodecError) {
        try decode(view.bytes, route, action)
        action.deinitialize(count: 1)
    }

    /// Applies the reducer to the records from `place` on, as long as they are actions up to a sequence that have a
    /// route. Then `place` is the first record that is left: after an error, the one that cannot be decoded.
    func apply(
        _ views: UnsafeMutableBufferPointer<RecordView>,
        from place: inout Int,
        to end: Int,
        _ routes: [Int?],
        through last: UInt64,
        at time: UnsafeMutablePointer<ActionTime>,
        to state: inout State
    ) throws(CodecError) {
        while place < end {
            let view = views[place]
            guard case .action(let index) = view.content, let route = routes[index], view.sequence <= last else {
                return
            }
            try decode(view.bytes, route, action)
            time.pointee = view.time
            reducer.reduce(action.pointee, &state)
            action.deinitialize(count: 1)
            place += 1
        }
    }
}
