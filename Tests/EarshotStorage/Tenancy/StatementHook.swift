import Foundation
import Synchronization

/// Sees every statement that SQLite prepares for the database in one folder, and changes one of them. Databases
/// elsewhere are left alone, so other tests may run at the same time.
///
/// SQLite is a shared library: the definition of `sqlite3_prepare_v3` below takes the place of its own in this program.
final class StatementHook: Sendable {
    /// A statement, and the one that takes its place.
    struct Replacement: Hashable, Sendable {
        let statement: String
        let other: String
    }

    private static let hooks = Mutex<[String: StatementHook]>([:])

    /// The name of the folder. SQLite tells the path in another spelling.
    private let folder: String
    private let replacement: Replacement?
    private let all = Mutex<Set<String>>([])

    /// Begins to watch the databases in a folder, until `end`.
    init(folder: String, replacing replacement: Replacement? = nil) {
        let name = URL(filePath: folder).lastPathComponent
        (self.folder, self.replacement) = (name, replacement)
        Self.hooks.withLock { $0[name] = self }
    }

    /// Every statement so far.
    var statements: Set<String> { all.withLock { $0 } }

    func end() { Self.hooks.withLock { $0[folder] = nil } }

    /// The statement to prepare instead, if there is one.
    fileprivate func see(_ statement: String) -> String? {
        all.withLock { _ = $0.insert(statement) }
        return statement == replacement?.statement ? replacement?.other : nil
    }

    fileprivate static func hook(ofDatabaseAt path: String) -> StatementHook? {
        hooks.withLock { hooks in hooks.first { path.contains("/\($0.key)/") }?.value }
    }

    fileprivate static var isIdle: Bool { hooks.withLock(\.isEmpty) }
}

/// The functions of SQLite that the one below takes the place of, or calls.
private enum SQLite {
    typealias Prepare =
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>?, CInt, CUnsignedInt, UnsafeMutablePointer<OpaquePointer?>?,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> CInt

    static let prepare = function("sqlite3_prepare_v3", as: Prepare.self)
    static let finalize = function("sqlite3_finalize", as: (@convention(c) (OpaquePointer?) -> CInt).self)
    static let fileName = function(
        "sqlite3_db_filename",
        as: (@convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>?).self)

    /// The function that comes after this program's own.
    private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
        let next = UnsafeMutableRawPointer(bitPattern: -1)
        guard let found = dlsym(next, name) else { preconditionFailure("SQLite has no function \(name)") }
        return unsafeBitCast(found, to: type)
    }
}

/// Prepares one statement, as SQLite does.
@_cdecl("sqlite3_prepare_v3")
func prepareStatement(
    _ connection: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: CInt, _ flags: CUnsignedInt,
    _ statement: UnsafeMutablePointer<OpaquePointer?>?, _ tail: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> CInt {
    var end: UnsafePointer<CChar>?
    let code = SQLite.prepare(connection, text, length, flags, statement, &end)
    tail?.pointee = end
    guard code == 0, !StatementHook.isIdle, let text, let end, let statement, statement.pointee != nil,
        let path = SQLite.fileName(connection, "main"),
        let hook = StatementHook.hook(ofDatabaseAt: String(cString: path))
    else { return code }
    let bytes = UnsafeRawBufferPointer(start: text, count: end - text)
    guard let other = hook.see(String(decoding: bytes, as: UTF8.self)) else { return code }
    _ = SQLite.finalize(statement.pointee)
    return SQLite.prepare(connection, other, -1, flags, statement, nil)
}
