import EarshotMedia

extension ServerConfiguration {
    var pool: WorkerPool.Settings {
        var settings = WorkerPool.Settings(executable: worker)
        if let mediaWorkers { settings.most = mediaWorkers }
        return settings
    }
}
