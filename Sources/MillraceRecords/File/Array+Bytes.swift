// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Lends the bytes to a closure whose errors keep their type.
    func lend<Result>(
        _ body: (UnsafeRawBufferPointer) throws(RecordFileError) -> Result
    ) throws(RecordFileError) -> Result {
        try withUnsafeBytes { bytes in
            Swift.Result { () throws(RecordFileError) in try body(bytes) }
        }.get()
    }

    /// Lends the bytes to a closure that may change them, and whose errors keep their type.
    mutating func lendMutable<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws(RecordFileError) -> Result
    ) throws(RecordFileError) -> Result {
        try withUnsafeMutableBytes { bytes in
            Swift.Result { () throws(RecordFileError) in try body(bytes) }
        }.get()
    }
}
