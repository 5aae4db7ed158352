import Foundation
import Glibc

/// VisualOn's AMR-WB encoder (Debian's libvo-amrwbenc0): no program here writes wide band AMR, but the library that
/// phones use does.
enum WideAMR {
    static let rate = 16_000
    static let magic = Array("#!AMR-WB\n".utf8)
    private static let frameSamples = 320
    private static let mostFrameBytes = 64
    /// 23.85 kbit/s, the best of the nine.
    private static let mode: Int32 = 8

    private typealias Start = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Encode =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<Int16>?, UnsafeMutablePointer<UInt8>?, Int32) ->
        Int32
    private typealias End = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// A whole .awb file. `pauses`: with comfort noise during pauses (DTX).
    static func encode(_ samples: [Int16], pauses: Bool = false) throws -> [UInt8] {
        guard let library = dlopen("libvo-amrwbenc.so.0", RTLD_NOW) else {
            throw Tool.Failure(description: "libvo-amrwbenc0 is not installed")
        }
        let start = unsafeBitCast(dlsym(library, "E_IF_init"), to: Start.self)
        let encode = unsafeBitCast(dlsym(library, "E_IF_encode"), to: Encode.self)
        let end = unsafeBitCast(dlsym(library, "E_IF_exit"), to: End.self)
        let state = start()
        defer { end(state) }
        var made = magic
        var frame = [UInt8](repeating: 0, count: mostFrameBytes)
        for at in stride(from: 0, to: samples.count - frameSamples, by: frameSamples) {
            let length = samples[at..<at + frameSamples].withUnsafeBufferPointer {
                encode(state, mode, $0.baseAddress, &frame, pauses ? 1 : 0)
            }
            made += frame[..<Int(length)]
        }
        return made
    }
}
