import ArgumentParser
import EarshotServer

/// `earshot`: the command line.
@main
struct Earshot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Self-hosted messaging between brands and their consumers, with voice as a first-class citizen.",
        version: Server.version,
        subcommands: [
            Initialise.self, Serve.self, Demo.self, DemoLinksCommand.self, DoctorCommand.self, Add.self,
            ListCommand.self, SetSetting.self,
            SetPassword.self, MakePasswordLink.self,
            Remove.self, Suspend.self, Resume.self, SignOut.self, SignOutConsumer.self,
            SecondFactorCommand.self, Block.self, Unblock.self,
            APIKeyCommand.self, RotateKeys.self, KeysCommand.self, AuditCommand.self, EvidenceCommand.self,
            RetentionCommand.self,
            Erase.self, Export.self,
            Backup.self, Restore.self, ScannerSignature.self,
        ],
        defaultSubcommand: nil)
}
