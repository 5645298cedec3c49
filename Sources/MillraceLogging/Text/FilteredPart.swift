// SPDX-License-Identifier: Apache-2.0

/// Looks for a part of a value whose path a filter matches, in either spelling.
struct FilteredPart {
    let spellings: Spellings
    let isFiltered: (LogText) -> Bool
    /// The number of parts that may still be looked at. A line prints fewer parts of a value.
    private var placesLeft = 1_000
    /// The objects around the part.
    private var objects: [AnyObject] = []

    init(spellings: Spellings, isFiltered: @escaping (LogText) -> Bool) {
        self.spellings = spellings
        self.isFiltered = isFiltered
    }

    /// True also if the value has too many parts to be sure.
    mutating func isFound(in value: Any, at path: SpelledText) -> Bool {
        if leafText(value) != nil { return false }
        let object = objectIn(value)
        if let object {
            if objects.contains(where: { $0 === object }) { return false }
            objects.append(object)
        }
        defer { if object != nil { objects.removeLast() } }
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            if isFound(in: current, at: path) { return true }
            mirror = current.superclassMirror
        }
        return false
    }

    private mutating func isFound(in mirror: Mirror, at path: SpelledText) -> Bool {
        // A member of a set has no path of its own.
        guard mirror.displayStyle != .set else { return false }
        for (index, child) in mirror.children.enumerated() {
            placesLeft -= 1
            guard placesLeft > 0 else { return true }
            let (step, part) = step(to: child, index, mirror.displayStyle)
            let (value, optionals) = counted(part)
            let place = path + step + spellings.some(optionals)
            if (place + ": ").all.contains(where: isFiltered) || isFound(in: value, at: place) { return true }
        }
        return false
    }

    /// Returns what the path of a child adds to the path of its parent, and the value of the child.
    private mutating func step(
        to child: Mirror.Child,
        _ index: Int,
        _ style: Mirror.DisplayStyle?
    ) -> (SpelledText, Any) {
        if style == .collection { return (spellings.element(index), child.value) }
        guard style == .dictionary else { return (spellings.field(child.label, index), child.value) }
        let pair = Array(Mirror(reflecting: child.value).children)
        guard pair.count == 2 else { return (spellings.field(child.label, index), child.value) }
        let key = oneLine(pair[0].value, places: &placesLeft)
        return (spellings.text { _ in "[" + key + "]" }, pair[1].value)
    }
}
