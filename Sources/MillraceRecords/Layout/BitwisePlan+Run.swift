// SPDX-License-Identifier: Apache-2.0

extension BitwisePlan {
    /// Zeros the padding in a copy of a value. The copy must be a valid value.
    @usableFromInline
    func canonicalise(_ value: UnsafeMutableRawPointer) {
        canonicalise(value, first, count)
    }

    private func canonicalise(_ base: UnsafeMutableRawPointer, _ first: Int32, _ count: Int32) {
        for index in Int(first)..<Int(first + count) {
            let step = steps[index]
            let place = base + Int(step.offset)
            switch step.kind {
            case .zero: place.initializeMemory(as: UInt8.self, repeating: 0, count: Int(step.argument))
            case .below, .scalar: break
            case .choice:
                let choice = choices[Int(step.argument)]
                if choice.isPlain { break }
                let chosen = cases[Int(choice.firstCase) + Int(choice.getTag(place, choice.metadata))]
                // The tag may be in spare bits of the payload: it is removed while the payload is handled.
                setTag(of: chosen, in: place, to: false)
                canonicalise(place, chosen.firstStep, chosen.stepCount)
                setTag(of: chosen, in: place, to: true)
            }
        }
    }

    /// Returns the offset of the first field whose bytes are not valid; nil if the bytes are a value of the type.
    ///
    /// The bytes must be a copy, because the function clears the tags in them.
    @usableFromInline
    func firstInvalid(in copy: UnsafeMutableRawPointer) -> Int? {
        firstInvalid(in: copy, 0, first, count)
    }

    private func firstInvalid(
        in base: UnsafeMutableRawPointer,
        _ offset: Int,
        _ first: Int32,
        _ count: Int32
    ) -> Int? {
        for index in Int(first)..<Int(first + count) {
            let step = steps[index]
            let at = offset + Int(step.offset)
            let place = base + at
            switch step.kind {
            case .zero: break
            case .below:
                if Int32(place.load(as: UInt8.self)) >= step.argument { return at }
            case .scalar:
                if Unicode.Scalar(place.loadUnaligned(as: UInt32.self)) == nil { return at }
            case .choice:
                let choice = choices[Int(step.argument)]
                guard let chosen = match(choice, place) else { return at }
                guard chosen.stepCount > 0 else { break }
                setTag(of: chosen, in: place, to: false)
                if let invalid = firstInvalid(in: base, at, chosen.firstStep, chosen.stepCount) { return invalid }
            }
        }
        return nil
    }

    /// Returns the case whose tag the bytes have. Cases without a payload are tried first: if only one case has a
    /// payload, it may have no tag bits of its own, and then matches all bytes.
    private func match(_ choice: Choice, _ place: UnsafeMutableRawPointer) -> Case? {
        var index = Int(choice.firstCase + choice.caseCount) - 1
        while index >= Int(choice.firstCase) {
            let candidate = cases[index]
            if hasTag(of: candidate, place) { return candidate }
            index -= 1
        }
        return nil
    }

    private func hasTag(of candidate: Case, _ place: UnsafeMutableRawPointer) -> Bool {
        let length = Int(candidate.high - candidate.low)
        var index = length - 1
        // From the end, where most tags are.
        while index >= 0 {
            let byte = place.load(fromByteOffset: Int(candidate.low) + index, as: UInt8.self)
            let mask = masks[Int(candidate.mask) + index]
            if byte & mask != masks[Int(candidate.mask) + length + index] { return false }
            index -= 1
        }
        return true
    }

    private func setTag(of chosen: Case, in place: UnsafeMutableRawPointer, to isSet: Bool) {
        let length = Int(chosen.high - chosen.low)
        for index in 0..<length {
            let byte = place + (Int(chosen.low) + index)
            let rest = byte.load(as: UInt8.self) & ~masks[Int(chosen.mask) + index]
            let tag = isSet ? masks[Int(chosen.mask) + length + index] : 0
            byte.storeBytes(of: rest | tag, as: UInt8.self)
        }
    }
}
