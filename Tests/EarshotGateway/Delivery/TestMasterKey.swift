import EarshotStorage

extension MasterKeySource where Self == MasterKeys {
    /// The same key in every test.
    static var forTests: MasterKeys { MasterKeys(MasterKey(Array(repeating: 7, count: MasterKey.keyBytes))) }
}
