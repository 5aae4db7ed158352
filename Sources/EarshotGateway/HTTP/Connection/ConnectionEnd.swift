import NIOCore
import NIOHTTP1

/// Errors that only mean that the client has disconnected.
enum ConnectionEnd {
    static func explains(_ error: any Error) -> Bool {
        error is HTTPParserError || error is ChannelError || error is IOError || error is CancellationError
    }
}
