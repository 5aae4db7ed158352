import ArgumentParser

/// The command line.
@main
struct Earshot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Customer messaging for brands that run it themselves, with voice as a first-class citizen.",
        subcommands: [
            Serve.self, Demo.self, Examine.self, Add.self, SetSetting.self, Suspend.self, Resume.self, Signature.self,
        ],
        defaultSubcommand: nil)
}
