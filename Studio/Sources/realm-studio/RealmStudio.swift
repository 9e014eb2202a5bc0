import ArgumentParser
import Foundation
import StudioServer
import StudioService

@main struct RealmStudio: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realm-studio", abstract: "Look at a realm in the browser.",
    discussion: """
      The first line on standard output is the address to open. Only programs on this machine that know it can ask. End it with Ctrl-C.
      Example: realm-studio Dogs.realm --read-only
      """)

  @Argument(help: "The file to show.") var file: String
  @Option(help: "A file with the key: 64 bytes, or 128 hexadecimal digits. Without it the page asks for the key of an encrypted file.") var keyFile:
    String?
  @Option(help: "The port to listen on; 0 chooses one.") var port: UInt16 = 0
  @Flag(help: "Nothing can be changed.") var readOnly = false
  @Flag(help: "Do not open a browser.") var noBrowser = false
  @Option(help: "Listen on this address instead of the loopback, for everybody who can reach it and knows the token.") var listen: String?
  @Option(help: "A name, or NAME:PORT, under which browsers reach this machine, with --listen; may be repeated.") var allowHost: [String] = []

  static func main() async {
    StudioService.reserveStandardStreams()
    await main(nil)
  }

  func validate() throws {
    var address = in_addr()
    if let listen, inet_pton(AF_INET, listen, &address) != 1 {
      throw ValidationError("--listen needs an IPv4 address of this machine, such as 192.168.1.5: '\(listen)' is none. Names go with --allow-host.")
    }
    if !allowHost.isEmpty && listen == nil { throw ValidationError("--allow-host goes with --listen.") }
    if listen == "0.0.0.0" && allowHost.isEmpty { throw ValidationError("--listen 0.0.0.0 needs --allow-host: the name that browsers use.") }
  }

  func run() async throws {
    let service: StudioService
    do {
      service = try StudioService(path: file, keyFile: keyFile, isReadOnly: readOnly)
    } catch {
      Self.say("error: \(error)")
      throw ExitCode(3)
    }
    signal(SIGPIPE, SIG_IGN)
    var options = StudioServer.Options()
    options.port = port
    options.hosts = allowHost
    if let listen { options.address = listen }
    if let listen, listen != "127.0.0.1" {
      Self.say(
        "warning: others on the network can reach this; whoever has the address below can read\(readOnly ? "" : " and change") the file, "
          + "and everything travels in the clear")
    }
    let opensBrowser = !noBrowser
    do {
      try await StudioServer(service, options: options).run { address in
        print(address)
        fflush(nil)
        if opensBrowser { Self.open(address) }
      }
    } catch {
      Self.say("error: \(error)")
      throw ExitCode(4)
    }
  }

  private static func say(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }

  /// As far as this machine has a way to do that.
  private static func open(_ address: String) {
    #if os(macOS)
      let opener = "/usr/bin/open"
    #else
      let opener = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: opener) else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: opener)
    process.arguments = [address]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try? process.run()
  }
}
