import EarshotDomain
public import EarshotModel

/// Writes a ZIP archive in one pass: each file as it is, without compression. Recordings are compressed already.
///
/// The sizes of a file follow its bytes, so that neither the file nor the archive is held in memory. Names are ASCII.
/// An archive has less than 4 GiB and at most 65,535 files; callers check that first (`bytesMaximum`).
public struct ZipWriter {
    /// The most files that an archive can have, with some room for a few more.
    public static let filesMaximum = Int(UInt16.max) - 100
    /// The most bytes that an archive can have, with some room for its list of files.
    public static let bytesMaximum = Int(UInt32.max) - 64 * 1024 * 1024

    private struct Entry {
        let name: [UInt8]
        let offset: Int
        var size = 0
        var checksum = CRC32()
    }

    private let time: (date: UInt16, time: UInt16)
    private var written = 0
    private var entries: [Entry] = []

    /// Begins an archive. - Parameter made: the time that each file gets, in UTC.
    public init(made: ZipTime) {
        time = (made.date, made.time)
    }

    /// How many files were begun.
    public var files: Int { entries.count }

    /// Begins a file. - Returns: the bytes to write.
    public mutating func begin(_ name: String) -> [UInt8] {
        let entry = Entry(name: Array(name.utf8), offset: written)
        entries.append(entry)
        var bytes = ZipFormat.fileSignature.littleEndianBytes
        bytes += header(entry, isListed: false)
        bytes += UInt16(entry.name.count).littleEndianBytes + UInt16(0).littleEndianBytes + entry.name
        written += bytes.count
        return bytes
    }

    /// Notes bytes of the file that was begun last. The caller writes them.
    public mutating func note(_ bytes: [UInt8]) {
        entries[entries.count - 1].checksum.update(bytes)
        entries[entries.count - 1].size += bytes.count
        written += bytes.count
    }

    /// Ends the file that was begun last. - Returns: the bytes to write.
    public mutating func end() -> [UInt8] {
        let entry = entries[entries.count - 1]
        let bytes = ZipFormat.sizesSignature.littleEndianBytes + sizes(entry)
        written += bytes.count
        return bytes
    }

    /// Ends the archive. - Returns: its list of files, the last bytes to write.
    public func finish() -> [UInt8] {
        var list: [UInt8] = []
        for entry in entries {
            list += ZipFormat.listSignature.littleEndianBytes + ZipFormat.madeBy.littleEndianBytes
            list += header(entry, isListed: true)
            list += UInt16(entry.name.count).littleEndianBytes
            // No extra field, no comment, the first disk, no internal attributes.
            list += [UInt8](repeating: 0, count: 8)
            list += ZipFormat.attributes.littleEndianBytes + UInt32(entry.offset).littleEndianBytes + entry.name
        }
        let count = UInt16(entries.count).littleEndianBytes
        return list + ZipFormat.endSignature.littleEndianBytes + [0, 0, 0, 0] + count + count
            + UInt32(list.count).littleEndianBytes + UInt32(written).littleEndianBytes + [0, 0]
    }

    /// From the version to the sizes, which only the list has.
    private func header(_ entry: Entry, isListed: Bool) -> [UInt8] {
        let start = ZipFormat.version.littleEndianBytes + ZipFormat.sizesFollow.littleEndianBytes
        let stored = UInt16(0).littleEndianBytes + time.time.littleEndianBytes + time.date.littleEndianBytes
        return start + stored + (isListed ? sizes(entry) : [UInt8](repeating: 0, count: 12))
    }

    private func sizes(_ entry: Entry) -> [UInt8] {
        let size = UInt32(entry.size).littleEndianBytes
        return entry.checksum.value.littleEndianBytes + size + size
    }
}

/// A time as a ZIP archive stores it: in steps of two seconds, from 1980 on.
public struct ZipTime {
    let date: UInt16
    let time: UInt16

    /// The time in UTC.
    public init(_ time: Timestamp) {
        self.init(Zone.iso8601(time, in: "UTC"))
    }

    /// - Parameter text: a time in UTC as ISO 8601, `2026-11-23T13:50:39…`.
    init(_ text: String) {
        let numbers = text.split { !$0.isNumber }.prefix(6).map { UInt16($0) ?? 0 }
        guard numbers.count == 6, numbers[0] >= 1980 else {
            (date, time) = (1 << 5 | 1, 0)
            return
        }
        date = (numbers[0] - 1980) << 9 | numbers[1] << 5 | numbers[2]
        time = numbers[3] << 11 | numbers[4] << 5 | numbers[5] / 2
    }
}

/// What a ZIP archive of ours is recognised by (APPNOTE 6.3.10, section 4.3).
enum ZipFormat {
    static let fileSignature: UInt32 = 0x0403_4B50
    static let sizesSignature: UInt32 = 0x0807_4B50
    static let listSignature: UInt32 = 0x0201_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    /// Version 2.0 reads it.
    static let version: UInt16 = 20
    /// Unix, version 2.0: the attributes are a file's mode.
    static let madeBy: UInt16 = 3 << 8 | 20
    /// Flag: checksum and sizes follow the bytes.
    static let sizesFollow: UInt16 = 1 << 3
    /// A file that everyone may read and its owner may write.
    static let attributes: UInt32 = 0o100644 << 16

    static let fileHeaderBytes = 30
    static let sizesBytes = 16
    static let listHeaderBytes = 46
    static let endBytes = 22
}

/// The checksum of ZIP archives.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var state = UInt32.max

    var value: UInt32 { ~state }

    mutating func update(_ bytes: [UInt8]) {
        state = bytes.reduce(state) { Self.table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

extension FixedWidthInteger {
    /// The bytes, the lowest first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}
