/// The row numbers of the full-text tables: the feed's number in the high bits, so that the rows of one feed are
/// neighbours, and the key of an event or a conversation in the low 40 bits.
enum SearchRowNumber {
    private static let keyBits = 40

    static func number(feed: Int64, key: Int64) -> Int64 { feed << keyBits + key }

    /// The numbers of a feed's rows.
    static func all(of feed: Int64) -> ClosedRange<Int64> {
        number(feed: feed, key: 0)...number(feed: feed + 1, key: -1)
    }
}
