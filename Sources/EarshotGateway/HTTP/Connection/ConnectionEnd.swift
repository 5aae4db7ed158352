import NIOCore
import NIOHTTP1

/// Errors that say no more than that the client is gone.
enum ConnectionEnd {
    static func explains(_ error: any Error) -> Bool {
        error is HTTPParserError || error is ChannelError || error is IOError || error is CancellationError
    }
}
