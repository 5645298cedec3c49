// SPDX-License-Identifier: Apache-2.0

/// Returns the text of a leaf: a value that is not looked into. These are nil, cases without payload, types that
/// describe themselves, and types of the standard library or Foundation. `value` must be unwrapped.
///
/// A type that describes itself is printed by its description only.
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
        // Only a custom mirror has such a style. The elements of a sequence are printed one by one, each as it
        // describes itself.
        return isDescribed && !(value is any Sequence) ? describedText(value) : nil
    case .enum:
        if isDescribed { return describedText(value) }
        return mirror.children.isEmpty ? LogText(escaping: kindOfAnything(value)) : nil
    case .class, .struct, .foreignReference, nil: break
    @unknown default: break
    }
    let isWellKnown = isWellKnownType(of: value)
    if isDescribed, !isWellKnown { return describedText(value) }
    // The second cast is slow, so the first one comes before it.
    if value is any Collection, let bytes = value as? any Collection<UInt8> { return LogText(bytesText(bytes)) }
    if isWellKnown { return LogText(described: "\(value)") }
    guard mirror.children.isEmpty, mirror.superclassMirror == nil else { return nil }
    if mirror.displayStyle == nil, !(value is any CustomReflectable) { return LogText(escaping: "\(value)") }
    // Values without fields do not differ; a custom mirror may hide fields.
    let hidden = value is any CustomReflectable ? Fingerprint.of(value) : 0
    return LogText(escaping: "\(type(of: value))", hidden: hidden)
}

/// Returns whether a type describes itself. Optionals do too, so `value` must be unwrapped.
func describesItself(_ value: Any) -> Bool {
    value is any CustomStringConvertible || value is any CustomDebugStringConvertible
        || value is any TextOutputStreamable
}

/// Returns the text that `print` writes. Comparisons also use a hash of the contents, because the text may hide a part
/// of them.
private func describedText(_ value: Any) -> LogText {
    LogText(described: "\(value)", hidden: Fingerprint.of(value))
}

/// Returns whether a type is from the standard library or Foundation. The description of such a type contains all of
/// the value.
func isWellKnownType(of value: Any) -> Bool {
    let module = String(reflecting: type(of: value)).prefix { $0 != "." }
    return ["Swift", "Foundation", "FoundationEssentials", "Dispatch"].contains(module)
}

/// Returns a text for bytes, for example of Foundation's Data, whose own description has only their count.
private func bytesText(_ bytes: some Collection<UInt8>) -> String {
    let first = bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    guard bytes.count > 32 else { return "\(bytes.count) bytes \(first)" }
    // FNV-1a, so that a change of the bytes that are not printed also changes the text.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(bytes.count) bytes \(first)… #\(String(hash, radix: 16))"
}
