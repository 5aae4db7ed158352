import EarshotMedia

extension ServerConfiguration {
    var pool: WorkerPool.Settings {
        var settings = WorkerPool.Settings(executable: worker)
        if let mediaWorkers { settings.maxWorkers = mediaWorkers }
        return settings
    }
}
