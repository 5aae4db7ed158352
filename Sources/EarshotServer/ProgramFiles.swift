import Foundation

/// Finds what belongs to the program, the pages and the media worker, wherever it was installed and from wherever it is
/// started.
public struct ProgramFiles: Sendable {
    /// The folder with the web pages.
    public let web: Place
    /// The media worker.
    public let worker: Place

    /// Where something is, and where it was looked for.
    public struct Place: Sendable, Equatable {
        /// Where it is; the first place, if it is in none.
        public let path: String
        /// All places, in the order in which they were looked at.
        public let places: [String]

        /// A place that the operator named: nothing else is looked at.
        public init(_ path: String) {
            (self.path, places) = (path, [path])
        }

        init(oneOf places: [String], where isThere: (String) -> Bool) {
            path = places.first(where: isThere) ?? places[0]
            self.places = places
        }
    }

    /// The files without which there are no pages.
    static let pages = ["loader.js", "widget/index.html", "workspace/index.html"]

    /// Looks beside the program, in the folders of a package (`PREFIX/lib/earshot/earshot` or `PREFIX/bin/earshot`, and
    /// `PREFIX/share/earshot/web`), and in the checkout in whose folder `.build` the program is.
    /// - Parameters:
    ///   - program: the path of the program, without symbolic links.
    ///   - isFile: whether there is a file at a path.
    init(program: String, isFile: (String) -> Bool) {
        let folder = URL(filePath: program).deletingLastPathComponent().standardizedFileURL
        let above = folder.deletingLastPathComponent()
        let package = [above, above.deletingLastPathComponent()].map { $0.appending(path: "share/earshot/web").path }
        web = Place(oneOf: [folder.appending(path: "web").path] + package + Self.checkout(of: folder)) { place in
            Self.pages.allSatisfy { isFile(place + "/" + $0) }
        }
        let name = "EarshotMediaWorker"
        worker = Place(
            oneOf: [folder.appending(path: name).path, above.appending(path: "lib/earshot/" + name).path],
            where: isFile)
    }

    /// The program that runs.
    public static var current: ProgramFiles {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return ProgramFiles(program: path ?? CommandLine.arguments[0]) { FileManager.default.fileExists(atPath: $0) }
    }

    private static func checkout(of folder: URL) -> [String] {
        guard let build = folder.pathComponents.lastIndex(of: ".build") else { return [] }
        let root = folder.pathComponents[..<build].joined(separator: "/").replacing("//", with: "/")
        return [root + "/Web/dist"]
    }
}

extension ServerConfiguration {
    /// What is said where the pages are in none of the places.
    static func pagesNotFound(in places: [String]) -> String {
        "The web pages were not found. Looked in: \(places.joined(separator: ", "))."
    }

    /// What is said where the media worker is in none of the places.
    static func workerNotFound(at places: [String]) -> String {
        "The media worker was not found. Looked for: \(places.joined(separator: ", "))."
    }

    static let pagesRemedy = "Build them with bin/web build, or set EARSHOT_WEB to the folder that has them."
    static let workerRemedy = "Build it with swift build, or set EARSHOT_WORKER to its path."

    /// The files of the pages that are missing.
    var missingPages: [String] {
        ProgramFiles.pages.filter { !FileManager.default.fileExists(atPath: web.path + "/" + $0) }
    }

    var hasWorker: Bool { FileManager.default.isExecutableFile(atPath: worker.path) }

    /// - Throws: `ServerFailure` if the pages or the media worker are missing.
    func checkFiles() throws(ServerFailure) {
        guard missingPages.isEmpty else {
            throw ServerFailure(.missingFiles, Self.pagesNotFound(in: web.places) + " " + Self.pagesRemedy)
        }
        guard hasWorker else {
            throw ServerFailure(.missingFiles, Self.workerNotFound(at: worker.places) + " " + Self.workerRemedy)
        }
    }
}
