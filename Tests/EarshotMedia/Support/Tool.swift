import Foundation
import Testing

/// Real encoders and decoders. A missing one fails the test that needs it, with its name: nothing is skipped.
enum Tool {
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static func run(_ name: String, _ arguments: [String], output: String? = nil) async throws {
        let process = Process()
        process.executableURL = try locate(name)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        if let output {
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        }
        let status = try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { waiter.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { waiter.resume(throwing: error) }
        }
        guard status == 0 else {
            throw Failure(description: "\(name) \(arguments.joined(separator: " ")) ended with \(status)")
        }
    }

    static func locate(_ name: String) throws -> URL {
        let folders = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"]
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") })
        else {
            throw Failure(description: "\(name) is not installed; bin/setup installs what the tests need")
        }
        return URL(fileURLWithPath: "\(folder)/\(name)")
    }
}
