import Foundation

/// CAF as Apple's recorders write it; no encoder here writes AAC into it.
enum CAF {
    private static let frameSamples = 1024
    private static let priming = 1024
    private static let rates: [Double] = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    /// The frames of an ADTS stream with `kuki` (the decoder's configuration as an ES descriptor) in front and `pakt`
    /// (the packet table) behind.
    static func holding(adts bytes: [UInt8]) throws -> [UInt8] {
        let frames = frames(bytes)
        let (profile, rate, channels) = (
            Int(bytes[2] >> 6) + 1, Int(bytes[2] >> 2 & 0xF), Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6)
        )
        let config: [UInt8] = [UInt8(profile << 3 | rate >> 1), UInt8((rate & 1) << 7 | channels << 3)]
        let desc =
            big(rates[rate].bitPattern, 8) + Array("aac ".utf8) + big(2, 4) + big(0, 4) + big(1024, 4)
            + big(UInt64(channels), 4) + big(0, 4)
        let valid = frames.count * frameSamples - priming
        let table =
            big(UInt64(frames.count), 8) + big(UInt64(valid), 8) + big(UInt64(priming), 4) + big(0, 4)
            + frames.flatMap { variable($0.count) }
        let data = big(0, 4) + frames.flatMap { Array($0) }
        return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", desc) + chunk("kuki", descriptor(config))
            + chunk("data", data) + chunk("pakt", table)
    }

    /// ISO 14496-1, with lengths in four bytes as Apple writes them.
    private static func descriptor(_ config: [UInt8]) -> [UInt8] {
        let specific = tagged(5, config)
        let decoder = tagged(4, [0x40, 0x15, 0, 0x18, 0] + big(48_000, 4) + big(48_000, 4) + specific)
        return tagged(3, [0, 0, 0] + decoder + tagged(6, [2]))
    }

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x80, 0x80, 0x80, UInt8(content.count)] + content
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(UInt64(content.count), 8) + content
    }

    private static func frames(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var (at, found) = (0, [ArraySlice<UInt8>]())
        while at + 7 <= bytes.count {
            let length = Int(bytes[at + 3] & 3) << 11 | Int(bytes[at + 4]) << 3 | Int(bytes[at + 5] >> 5)
            found.append(bytes[(at + 7)..<(at + length)])
            at += length
        }
        return found
    }

    private static func variable(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(0x80 | value >> 7), UInt8(value & 0x7F)]
    }

    private static func big(_ value: UInt64, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (length - 1 - $0))) }
    }
}
