import EarshotCore

/// What the store counts and measures. The writer's thread does most of it, once for each transaction.
struct StorageMetrics: Sendable {
    /// What became of a change of a conversation.
    enum ChangeResult: String, MetricLabel {
        /// On disk and acknowledged.
        case stored
        /// Known already: the first answer was given again.
        case repeated
        case refused
    }

    let changes = LabelledCounter<ChangeResult>(
        "earshot_changes_total",
        "Changes of conversations (messages among them) that were answered, by result. stored: on disk.", by: "result")
    let failures = Counter(
        "earshot_writes_failed_total", "Writes that could not be stored, because the disk failed or too many waited.")
    let commit = Histogram(
        "earshot_commit_seconds", "Time of a write transaction, with its flush to disk.", .step)
    let batch = Histogram(
        "earshot_commit_writes", "Writes in one transaction.", .counts([1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]))
    let readWait = Histogram(
        "earshot_read_wait_seconds", "How long a query waited for a connection to the database.", .step)
    let reads = Gauge("earshot_reads_open", "Queries that run or wait for a connection to the database.")

    /// Counts what one transaction stored.
    func count(_ outcomes: [BatchWriter.Outcome]) {
        var (stored, repeated, refused) = (0, 0, 0)
        for case .change(let result) in outcomes {
            switch result {
            case .success(let accepted): if accepted.isRepeat { repeated += 1 } else { stored += 1 }
            case .failure: refused += 1
            }
        }
        if stored > 0 { changes.increment(.stored, by: stored) }
        if repeated > 0 { changes.increment(.repeated, by: repeated) }
        if refused > 0 { changes.increment(.refused, by: refused) }
    }

    var all: [any Metric] { [changes, failures, commit, batch, readWait, reads] }
}

extension DatabaseFiles {
    /// The sizes of the database's files.
    var metrics: [any Metric] {
        [
            ReadMetric("earshot_database_bytes", "Size of the database file.") { databaseBytes },
            ReadMetric("earshot_write_ahead_log_bytes", "Size of the database's write-ahead log.") { logBytes },
        ]
    }
}
