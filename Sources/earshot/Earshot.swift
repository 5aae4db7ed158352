import ArgumentParser

/// `earshot`: the command line.
@main
struct Earshot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Self-hosted messaging between brands and their consumers, with voice as a first-class citizen.",
        subcommands: [
            Serve.self, Demo.self, DoctorCommand.self, Add.self, SetSetting.self, Suspend.self, Resume.self,
            ScannerSignature.self,
        ],
        defaultSubcommand: nil)
}
