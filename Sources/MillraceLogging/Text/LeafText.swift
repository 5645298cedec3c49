// SPDX-License-Identifier: Apache-2.0

/// The text of a value that is not looked into: nil, a case without payload, a type that describes itself, or one of the
/// standard library or Foundation. `value` is unwrapped.
///
/// What a type says of itself is all that is printed of it.
func leafText(_ value: Any) -> LogText? {
    if let text = value as? any StringProtocol { return LogText(quoting: String(text)) }
    // A cast costs less than a mirror.
    if let number = value as? Int { return LogText("\(number)") }
    return leafText(value, Mirror(reflecting: value))
}

private func leafText(_ value: Any, _ mirror: Mirror) -> LogText? {
    let isDescribed = describesItself(value)
    switch mirror.displayStyle {
    case .optional: return LogText("nil")
    case .tuple: return nil
    case .collection, .dictionary, .set:
        // Only a mirror of the type's own has such a style. Of a sequence the elements are told one by one, and each
        // describes itself, or not.
        return isDescribed && !(value is any Sequence) ? describedText(value) : nil
    case .enum:
        if isDescribed { return describedText(value) }
        return mirror.children.isEmpty ? LogText(escaping: kindOfAnything(value)) : nil
    case .class, .struct, .foreignReference, nil: break
    @unknown default: break
    }
    let isWellKnown = isWellKnownType(of: value)
    if isDescribed, !isWellKnown { return describedText(value) }
    // The second cast takes long.
    if value is any Collection, let bytes = value as? any Collection<UInt8> { return LogText(bytesText(bytes)) }
    if isWellKnown { return LogText(escaping: "\(value)") }
    guard mirror.children.isEmpty, mirror.superclassMirror == nil else { return nil }
    if mirror.displayStyle == nil, !(value is any CustomReflectable) { return LogText(escaping: "\(value)") }
    // Objects without fields do not differ.
    let hidden = value is any CustomReflectable ? Fingerprint.of(value) : 0
    return LogText(escaping: "\(type(of: value))", hidden: hidden)
}

/// Whether a type says how it is to be printed. Optionals do, too: `value` is unwrapped.
func describesItself(_ value: Any) -> Bool {
    value is any CustomStringConvertible || value is any CustomDebugStringConvertible
        || value is any TextOutputStreamable
}

/// As `print` writes it. What that hides takes part in comparisons by its hash.
private func describedText(_ value: Any) -> LogText {
    LogText(escaping: "\(value)", hidden: Fingerprint.of(value))
}

/// Whether a type is of the standard library, or of Foundation: its description tells all of it.
func isWellKnownType(of value: Any) -> Bool {
    let module = String(reflecting: type(of: value)).prefix { $0 != "." }
    return ["Swift", "Foundation", "FoundationEssentials", "Dispatch"].contains(module)
}

/// Bytes, Foundation's Data say, which would describe itself by their count alone.
private func bytesText(_ bytes: some Collection<UInt8>) -> String {
    let first = bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    guard bytes.count > 32 else { return "\(bytes.count) bytes \(first)" }
    // FNV-1a, so that a change of what is not shown is told, too.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(bytes.count) bytes \(first)… #\(String(hash, radix: 16))"
}
