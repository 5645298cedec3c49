// SPDX-License-Identifier: Apache-2.0

internal import CMillraceRecords

/// The checksum of the files: CRC32C (Castagnoli).
///
/// It finds accidents: every change of up to three bits in a frame, and any other with a chance of one in four billion
/// to miss it. It is no protection against people. Uses the processor's instructions where there are some.
public enum CRC32C {
    /// Returns the checksum of bytes, or continues that of the bytes before. Any thread.
    public static func checksum(of bytes: UnsafeRawBufferPointer, continuing checksum: UInt32 = 0) -> UInt32 {
        millrace_crc32c(checksum, bytes.baseAddress, bytes.count)
    }

    /// Returns the checksum of an array's bytes.
    public static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum(of: $0) }
    }

    /// Whether the processor has instructions for it. A table is about ten times as slow.
    public static var isHardware: Bool { millrace_crc32c_is_hardware() }
}
