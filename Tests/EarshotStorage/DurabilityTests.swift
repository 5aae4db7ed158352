import EarshotCore
import Foundation
import GRDB
import Testing

@testable import EarshotStorage

@Suite struct `An opened database` {
    @Test func `flushes every commit, and says so when asked`() throws {
        let database = try TemporaryDatabase()
        let opened = try open(database)
        let found = try opened.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(found == 2, "FULL")
        let checkpoints = try opened.checkpoints.inDatabase { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        #expect(checkpoints == 2, "FULL for checkpoints too")
        try opened.close()
    }

    @Test func `that does not flush is refused`() throws {
        let database = try TemporaryDatabase()
        let opened = try open(database)
        try opened.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            #expect(throws: AdapterFailure.self) { try OpenDatabase.verify(.full, of: db) }
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try OpenDatabase.verify(.full, of: db)
        }
        try opened.close()
    }

    @Test func `flushes less only where a test asks for it`() throws {
        let database = try TemporaryDatabase(options: SQLiteStore.Options(synchronous: .normal))
        let opened = try open(database)
        #expect(try opened.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
        try opened.close()
    }

    @Test func `belongs to its owner alone`() throws {
        let database = try TemporaryDatabase()
        let store = try database.open()
        for file in ["", "-wal", "-shm"] { #expect(try permissions(database.path + file) == 0o600) }
        #expect(try permissions(database.folder + "/data") == 0o700)
        try store.close()
    }

    @Test(arguments: ["UPDATE audit SET body = x'00'", "DELETE FROM audit"])
    func `keeps every entry of the audit as it is`(sql: String) throws {
        let database = try TemporaryDatabase()
        let opened = try open(database)
        try opened.pool.writeWithoutTransaction { db in
            try db.execute(sql: "INSERT INTO audit (account, body) VALUES ('brand', x'01')")
            #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
            #expect(try Data.fetchAll(db, sql: "SELECT body FROM audit") == [Data([1])])
        }
        try opened.close()
    }

    @Test func `is migrated once`() throws {
        let database = try TemporaryDatabase()
        try database.open().close()
        let first = try schema(database.path)
        try database.open().close()
        #expect(try schema(database.path) == first)
        #expect(first.contains("user_version \(Schema.steps.count)"))
    }

    @Test func `of a later version is refused and left alone`() throws {
        let database = try TemporaryDatabase()
        try database.open().close()
        try DatabaseQueue(path: database.path).inDatabase { try $0.execute(sql: "PRAGMA user_version = 99") }
        #expect(throws: AdapterFailure.self) { try database.open() }
        #expect(try schema(database.path).contains("user_version 99"))
    }

    @Test func `has an epoch that no other has`() throws {
        let (one, other) = (try TemporaryDatabase(), try TemporaryDatabase())
        let stores = (try one.open(), try other.open())
        #expect(stores.0.log.epoch != stores.1.log.epoch)
        try stores.0.close()
        try stores.1.close()
    }

    private func open(_ database: TemporaryDatabase) throws -> OpenDatabase {
        try OpenDatabase.open(
            path: database.path, options: database.options, reserve: DiskReserve(database: database.path)
        ) { "epoch" }
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func schema(_ path: String) throws -> String {
        try DatabaseQueue(path: path).inDatabase { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
            let epoch = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = 'epoch'") ?? ""
            return tables.joined(separator: "\n")
                + "\n\(epoch)\nuser_version \(try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)"
        }
    }
}
