/// The tables that hold rows other than conversations and events.
struct SQLiteTables: Sendable {
    let access: AccessTable
    let accounts: AccountTable
    let agents: AgentTable
    let audit: AuditLog
    let consumers: ConsumerTable
    let contactCentre: ContactCentreTable
    let installation: InstallationTable
    let recordings: RecordingTable
    let routing: RoutingTable
    let savedViews: SavedViewTable
    let searchIndex: SearchIndexWriter
    let secrets: SecretTable
    let sessions: SessionTable
    let settings: SettingsTable

    init(_ rows: RowAccess) {
        access = AccessTable(rows)
        accounts = AccountTable(rows)
        agents = AgentTable(rows)
        audit = AuditLog(rows)
        consumers = ConsumerTable(rows)
        contactCentre = ContactCentreTable(rows)
        installation = InstallationTable(rows)
        recordings = RecordingTable(rows)
        routing = RoutingTable(rows)
        savedViews = SavedViewTable(rows)
        searchIndex = SearchIndexWriter(rows)
        secrets = SecretTable(rows)
        sessions = SessionTable(rows)
        settings = SettingsTable(rows)
    }
}
