// SPDX-License-Identifier: Apache-2.0

import MillraceCore

@testable import MillraceRecords

/// An action with a field of each sort that a codec checks.
enum FuzzAction: BitwiseCopyable, Equatable {
    case add(UInt64)
    case set(number: Int32, flag: Bool)
    case scalar(Unicode.Scalar)
    case maybe(UInt16?)
    case nested(Side, UInt8)
    case reset

    enum Side: UInt8, BitwiseCopyable {
        case left, right, both
    }

    static let codec: BitwiseCodec<FuzzAction> = {
        do { return try BitwiseCodec(version: 1) } catch { preconditionFailure("\(error)") }
    }()

    static let samples: [FuzzAction] = [
        .add(7), .set(number: -1, flag: true), .scalar("é"), .maybe(nil), .maybe(3), .nested(.both, 9), .reset,
    ]
}

/// A state and an action that are written as JSON.
struct FuzzState: Codable, Equatable {
    var count = 0
    var texts: [String] = []
    var table: [String: Double] = [:]
}

enum FuzzEvent: Codable, Equatable {
    case opened(name: String)
    case moved(x: Int, y: Int?)
    case closed
}

let recordTime = ActionTime(nanosecondsSince1970: 1_431_857_103_000_000_000)
