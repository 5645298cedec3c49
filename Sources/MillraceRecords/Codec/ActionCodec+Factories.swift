// SPDX-License-Identifier: Apache-2.0

extension ActionCodec {
    /// Returns a codec that writes values as they are in memory: ``BitwiseCodec``.
    /// - Throws: ``CodecError/layout(_:)``, which names a field that cannot be written, or ``CodecError/version(_:)``.
    public static func bitwise<Value>(version: Int) throws(CodecError) -> BitwiseCodec<Value>
    where Self == BitwiseCodec<Value> {
        try BitwiseCodec<Value>(version: version)
    }

    /// Returns a codec that writes values as JSON: ``CodableCodec``.
    /// - Throws: ``CodecError/version(_:)`` if the version is less than 1, or does not fit 32 bits.
    public static func codable<Value>(version: Int) throws(CodecError) -> CodableCodec<Value>
    where Self == CodableCodec<Value> {
        try CodableCodec<Value>(version: version)
    }
}
