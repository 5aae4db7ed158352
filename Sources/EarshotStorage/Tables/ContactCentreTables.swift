/// The tables of contact centres, the search index, and what routing reads. Each port has a file, which implements it.
struct ContactCentreTables: Sendable {
    let rows: RowAccess
    let database: OpenDatabase
    /// How long a search may run.
    let searchTimeLimit: Duration

    init(_ rows: RowAccess, _ database: OpenDatabase, searchTimeLimit: Duration) {
        self.rows = rows
        self.database = database
        self.searchTimeLimit = searchTimeLimit
    }
}
