/// The tables of accounts and of everything that belongs to them, except conversations. Each table has a file, which
/// implements its port.
struct AccountTables: Sendable {
    let rows: RowAccess

    init(_ rows: RowAccess) {
        self.rows = rows
    }
}
