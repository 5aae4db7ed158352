import EarshotCore
import Synchronization

/// A row whose content cannot be read.
public struct DamagedRow: Error, Hashable, Sendable, CustomStringConvertible {
    /// The table.
    public let table: String
    /// The row's key, without anything that a person said or is called by.
    public let id: String

    /// Table and key, for the log.
    public var description: String { "the row \(id) of the table \(table) cannot be read" }
}

/// The damaged rows that were met. Each is set aside: it fails what needs it, and nothing else.
final class DamagedRows: Sendable {
    /// The most rows that are remembered: enough to see that the disk is bad.
    static let limit = 1_000

    private let met = Mutex<[DamagedRow]>([])

    /// Every damaged row that was met, in the order in which they were.
    var all: [DamagedRow] { met.withLock { $0 } }

    func note(_ row: DamagedRow) {
        met.withLock { if $0.count < Self.limit, !$0.contains(row) { $0.append(row) } }
    }

    /// The failure of what an error ended. Notes the row if one was damaged.
    func failure(_ error: any Error) -> AdapterFailure {
        if let row = error as? DamagedRow { note(row) }
        return .of(error)
    }

    /// Reads a row; `nil`, and a note, where it is damaged.
    func skip<Value>(_ read: () throws -> Value) throws -> Value? {
        do { return try read() } catch let row as DamagedRow {
            note(row)
            return nil
        }
    }
}
