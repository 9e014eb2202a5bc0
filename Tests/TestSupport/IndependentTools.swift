import Foundation

/// The Python programs in `Tools`, which know the format on their own. What they would say is not asked where Python 3 is missing.
package enum IndependentTools {
  package static let directory = PackageLocation.directory + "/Tools"
  package static var areThere: Bool { interpreter != nil }
  /// They decrypt only with the Python package `cryptography`.
  package static let canDecrypt = areThere && (try? run("realm_crypt", "--help").status) == 0

  /// The path of Python itself. What `PATH` has may be a script that looks for it, and takes longer than most programs.
  private static let interpreter: String? = {
    let check = "import sys; print(sys.executable); sys.exit(sys.version_info < (3, 8))"
    guard let run = try? ToolRun(path: "python3", ["-c", check]), run.status == 0 else { return nil }
    return run.output.trimmingCharacters(in: .newlines)
  }()

  package static func run(_ program: String, _ arguments: String...) throws -> ToolRun { try python(["-m", program] + arguments) }

  /// Runs Python; its programs may import those in `Tools`. What they and Python's own modules are compiled to is kept beside the tests,
  /// also where the environment says that nothing should be.
  package static func python(_ arguments: [String]) throws -> ToolRun {
    try ToolRun(
      path: interpreter ?? "python3", arguments,
      environment: [
        "PYTHONPATH": directory, "PYTHONPYCACHEPREFIX": PackageLocation.productDirectory + "/python", "PYTHONDONTWRITEBYTECODE": "",
      ])
  }

  /// What `realm_inspect.py` has against a file; nil if it is sound, or nobody can be asked.
  package static func violation(_ path: String) throws -> String? {
    guard areThere else { return nil }
    let run = try run("realm_inspect", "check", path)
    return run.status == 0 ? nil : run.output + run.errors
  }

  /// The contents of a file as canonical JSON; nil if nobody can be asked.
  package static func json(_ path: String) throws -> String? {
    guard areThere else { return nil }
    return try run("realm_inspect", "json", path).output
  }

  /// What `realm_crypt.py` has against the pages of a file, and `realm_inspect.py` against its plaintext; nil if both are content, or
  /// nobody can be asked.
  package static func encryptedViolation(_ path: String, key number: UInt8 = 1) throws -> String? {
    guard canDecrypt else { return nil }
    let key = TestKey.hexadecimal(number)
    let pages = try run("realm_crypt", "check", path, "--key", key, "--pages")
    guard pages.status == 0 else { return pages.output + pages.errors }
    let plain = path + ".plain.realm"
    defer { try? FileManager.default.removeItem(atPath: plain) }
    // Pages that were reserved and never written are zeros in the plaintext.
    let decrypted = try run("realm_crypt", "decrypt", path, plain, "--key", key, "--lenient")
    guard FileManager.default.fileExists(atPath: plain) else { return decrypted.output + decrypted.errors }
    return try violation(plain)
  }
}
