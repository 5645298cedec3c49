// SPDX-License-Identifier: Apache-2.0

internal import CMillraceRecords

/// The checksum of the files: CRC32C (Castagnoli).
///
/// It finds accidental changes: every change of up to three bits in a frame of less than 256 MiB. It misses another
/// change with a probability of one in four billion. It does not protect against people. It uses the processor's
/// instructions if there are any.
public enum CRC32C {
    /// Returns the checksum of bytes, or continues that of the bytes before. Any thread.
    public static func checksum(of bytes: UnsafeRawBufferPointer, continuing checksum: UInt32 = 0) -> UInt32 {
        millrace_crc32c(checksum, bytes.baseAddress, bytes.count)
    }

    /// Returns the checksum of an array's bytes.
    public static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum(of: $0) }
    }

    /// Whether the processor has instructions for it. Without them, a table is used, which is about ten times slower.
    public static var isHardware: Bool { millrace_crc32c_is_hardware() }
}
