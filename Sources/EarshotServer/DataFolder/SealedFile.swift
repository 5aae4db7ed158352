import EarshotCore
import EarshotStorage
import Foundation

/// A file of the data folder that is encrypted with the master key, so that a backup without that key opens nothing.
/// The keys of the installation are such files.
struct SealedFile {
    /// The names of all of them in a data folder.
    static let names = [
        KeyFile.name, KeptKey<DocumentSigner>.signing.name, KeptKey<SealingKey>.sealing.name,
        KeptKey<DocumentSigner>.demo.name,
    ]

    let path: String
    private let masters: MasterKeys

    init(_ path: String, masters: MasterKeys) {
        (self.path, self.masters) = (path, masters)
    }

    /// The decrypted content; `nil` where there is no file. A file that an earlier version left in the clear is
    /// encrypted first: afterwards the disk has either the old file or the new one.
    /// - Throws: `AdapterFailure` if it was encrypted with a master key that is not there, or is damaged.
    func content() throws -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path).map(Array.init) else {
            throw AdapterFailure("\(path) cannot be read", isRetryable: false)
        }
        guard SealedText.isOne(bytes) else {
            try replace(with: bytes)
            return bytes
        }
        let sealed = SealedText(bytes)
        if let sealed, masters[sealed.master] == nil { throw missing(sealed.master) }
        guard let opened = sealed?.open(named: name, with: masters) else { throw damaged }
        return opened
    }

    /// Replaces the file, or makes it. Afterwards the disk has either the old content or the new.
    func replace(with content: [UInt8]) throws {
        try PrivateFile(path: path).replace(with: line(content))
    }

    /// Makes the file, unless it exists.
    func make(with content: [UInt8]) throws {
        try PrivateFile(path: path).make(with: line(content))
    }

    /// Encrypts the file with the newest master key, if it exists and another one encrypts it.
    func sealAgain() throws {
        guard let content = try content(), Self.master(of: path) != masters.current.id else { return }
        try replace(with: content)
    }

    /// The id of the master key that encrypts a file; `nil` where there is no such file, or it is in the clear.
    static func master(of path: String) -> String? {
        FileManager.default.contents(atPath: path).flatMap { SealedText(Array($0))?.master }
    }

    /// What is wrong with a file whose content cannot be used.
    var damaged: AdapterFailure { AdapterFailure("\(path) is damaged. Restore it from a backup", isRetryable: false) }

    private func missing(_ master: String) -> AdapterFailure {
        AdapterFailure(
            "\(path) is encrypted with the master key \(master), which is missing. Restore the file with that master "
                + "key from where you keep its copy (EARSHOT_MASTER_KEY_FILE names it)", isRetryable: false)
    }

    private var name: String { (path as NSString).lastPathComponent }

    private func line(_ content: [UInt8]) throws -> Data {
        Data(try SealedText(content, named: name, by: masters).line)
    }
}
