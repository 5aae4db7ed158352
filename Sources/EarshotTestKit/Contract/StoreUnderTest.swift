public import EarshotCore

/// One database that a contract check may open, close and open again. Every check gets a new one.
public protocol StoreUnderTest: Sendable {
    /// The adapter under test.
    associatedtype Store: StorageAdapter

    /// Opens the database: empty the first time, and what was stored after that.
    func open() async throws -> Store

    /// Stores what waits, and closes it.
    func close(_ store: Store) async throws
}

/// One promise of a port, with the way to check it.
public struct ContractCheck<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let description: String
    /// Runs the check.
    public let run: @Sendable (Subject) async throws -> Void

    /// Creates a check.
    public init(_ description: String, run: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.run = run
    }
}

/// A promise was not kept.
public struct ContractBroken: Error, CustomStringConvertible {
    public let description: String
}

/// Fails the check unless this holds.
func hold(_ condition: Bool, _ promise: @autoclosure () -> String, line: Int = #line, file: String = #fileID) throws {
    guard condition else { throw ContractBroken(description: "\(promise()) (\(file):\(line))") }
}

/// Fails the check unless both are equal.
func same<T: Equatable>(
    _ found: T, _ wanted: T, _ what: @autoclosure () -> String, line: Int = #line, file: String = #fileID
) throws {
    guard found == wanted else {
        throw ContractBroken(description: "\(what()): \(found), not \(wanted) (\(file):\(line))")
    }
}
