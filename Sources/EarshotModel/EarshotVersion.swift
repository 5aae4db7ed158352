/// The version of this build of Earshot.
public enum EarshotVersion {
    /// The semantic version, as in CHANGELOG.md. The `ready` frame tells it to every client.
    public static let current = "0.1.0"
}
