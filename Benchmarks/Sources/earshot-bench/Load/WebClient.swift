import Foundation
import Glibc

/// HTTP/1.1 on one kept connection, a request at a time: identities, logins, uploads. Nothing here is measured per
/// request.
final class WebClient {
    struct Answer {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        /// - Throws: if the status is another one or the body is not a JSON object.
        func object(expecting expected: Int...) throws -> [String: Any] {
            guard expected.contains(status) else {
                throw Failure("HTTP \(status): \(String(decoding: body, as: UTF8.self).prefix(300))")
            }
            return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
        }
    }

    private var transport: Transport
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    private var incoming: [UInt8] = []
    var headers: [(String, String)] = []

    init(port: UInt16, source: UInt32 = 0, tls: TLS? = nil) throws {
        transport = try Transport(port: port, source: source, tls: tls, isBlocking: true)
        guard case .bytes = transport.handshake() else { throw Failure("no TLS handshake with port \(port)") }
    }

    deinit { buffer.deallocate() }

    var countedBytes: (up: Int, down: Int) { transport.countedBytes }

    func post(_ path: String, _ object: [String: Any] = [:]) throws -> Answer {
        try request("POST", path, Array(JSONSerialization.data(withJSONObject: object)), type: "application/json")
    }

    func request(_ method: String, _ path: String, _ body: [UInt8]? = nil, type: String? = nil) throws -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let type { head += "Content-Type: \(type)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try write(Array((head + "\r\n").utf8) + (body ?? []))
        return try read()
    }

    private func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            guard
                case .bytes(let count) = bytes.withUnsafeBytes({
                    transport.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
                })
            else { throw Failure("the server closed the connection") }
            sent += count
        }
    }

    private func more() throws {
        guard case .bytes(let count) = transport.read(into: buffer) else {
            throw Failure("the server closed the connection")
        }
        incoming += buffer[..<count]
    }

    private func read() throws -> Answer {
        var head: Int?
        while head == nil {
            head = incoming.withUnsafeBytes { bytes in
                var scan = Scan(bytes)
                return scan.skip(to: "\r\n\r\n") ? scan.position : nil
            }
            if head == nil { try more() }
        }
        let lines = String(decoding: incoming[..<(head ?? 0)], as: UTF8.self).components(separatedBy: "\r\n")
        incoming.removeFirst(head ?? 0)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            // Of several cookies the first is the session's.
            if headers[name] == nil { headers[name] = value }
        }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        while incoming.count < length { try more() }
        let body = Array(incoming[..<length])
        incoming.removeFirst(length)
        return Answer(
            status: Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0, headers: headers, body: body)
    }
}
