import EarshotCore
import EarshotStorage
import EarshotTestKit
import Foundation

/// A database in a folder of its own, which goes away with it.
final class TemporaryDatabase: StoreUnderTest {
    let folder: String
    let options: SQLiteStore.Options
    var path: String { folder + "/data/earshot.sqlite" }

    init(options: SQLiteStore.Options = SQLiteStore.Options()) throws {
        self.options = options
        folder = NSTemporaryDirectory() + "/earshot-storage-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    func open() throws -> SQLiteStore {
        try SQLiteStore(path: path, keys: .forTests, options: options)
    }

    func close(_ store: SQLiteStore) throws {
        try store.close()
    }
}

extension MasterKeySource where Self == MasterKeys {
    /// The same key in every test.
    static var forTests: MasterKeys { MasterKeys(MasterKey(Array(repeating: 7, count: MasterKey.keyBytes))) }
}
