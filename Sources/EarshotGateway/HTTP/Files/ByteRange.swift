/// The range of bytes that a player requests (RFC 9110 section 14).
enum ByteRange: Hashable, Sendable {
    /// No range, or one that a server may ignore: the whole file.
    case whole
    case part(Range<Int>)
    /// The range is outside of the file (416).
    case unsatisfiable

    /// - Parameter text: the `Range` header. Several ranges are answered with the whole: nothing that plays audio asks
    ///   for them, and they have been used to make servers send much for little.
    static func parse(_ text: String?, size: Int) -> ByteRange {
        guard let text, text.hasPrefix("bytes="), !text.contains(",") else { return .whole }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return .whole
        }
        switch (bounds[0].isEmpty, bounds[1].isEmpty) {
        case (true, true): return .whole
        case (true, false): return suffix(number(bounds[1]), size)
        case (false, true): return from(number(bounds[0]), size)
        case (false, false): return between(number(bounds[0]), number(bounds[1]), size)
        }
    }

    private static func suffix(_ count: Int, _ size: Int) -> ByteRange {
        count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    }

    private static func from(_ first: Int, _ size: Int) -> ByteRange {
        first < size ? .part(first..<size) : .unsatisfiable
    }

    private static func between(_ first: Int, _ last: Int, _ size: Int) -> ByteRange {
        guard first <= last else { return .whole }
        return first < size ? .part(first..<min(size, last == .max ? last : last + 1)) : .unsatisfiable
    }

    /// Parses a number; one that is too large for `Int` is beyond every file.
    private static func number(_ text: Substring) -> Int { Int(text) ?? .max }
}
