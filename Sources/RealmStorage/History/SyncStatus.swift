/// How far a file has come in exchanging changes with its server. Source: Y2.
package struct SyncStatus: Equatable, Sendable {
  /// A point that both sides know.
  package struct Cursor: Equatable, Sendable {
    /// Counted in changesets of the server's history.
    package var serverVersion: UInt64 = 0
    /// A version of this file.
    package var clientVersion: UInt64 = 0

    /// Both versions; 0 before anything was exchanged.
    package init(serverVersion: UInt64 = 0, clientVersion: UInt64 = 0) {
      (self.serverVersion, self.clientVersion) = (serverVersion, clientVersion)
    }
  }

  /// The server's history, as far as this file has heard of it.
  package struct Server: Equatable, Sendable {
    /// Its newest version.
    package var version: UInt64 = 0
    /// A random number by which a server that has lost its history is found out.
    package var salt: UInt64 = 0

    /// A version and its number; 0 before anything was heard.
    package init(version: UInt64 = 0, salt: UInt64 = 0) { (self.version, self.salt) = (version, salt) }
  }

  /// What the server calls this file; 0 until it has given it a name.
  package var fileIdent: UInt64 = 0
  /// The secret that goes with the name, below 2^63.
  package var fileIdentSalt: UInt64 = 0
  /// The newest that is known of the server.
  package var latestServer = Server()
  /// What was downloaded, and which version of this file the server had integrated by then.
  package var download = Cursor()
  /// What the server has integrated of this file, and which version of its history that was based on.
  package var upload = Cursor()
  /// Changesets that were integrated here, before the server transformed them.
  package var downloadedByteCount: UInt64 = 0
  /// What is known to be still to come; in flexible synchronisation the progress times 10,000.
  package var downloadableByteCount: UInt64 = 0
  /// Changesets of this file that the server has integrated.
  package var uploadedByteCount: UInt64 = 0
  /// Changesets that this file has made.
  package var uploadableByteCount: UInt64 = 0

  /// Of a file that never met a server.
  package init() {}
}

/// What one commit left in the history of a file that synchronises.
package struct SyncEntry: Equatable, Sendable {
  /// 2015-01-01T00:00:00Z, from where milliseconds are counted, in seconds since 1970.
  package static let epochSeconds: UInt64 = 1_420_070_400

  /// As it is stored (`StoredChangeset`); nil or empty if nothing was changed for others.
  package var changeset: [UInt8]?
  /// What became of it by merging with what was downloaded since, as it is stored; nil as long as nothing did, empty if nothing is left of it.
  package var reciprocal: [UInt8]?
  /// Which version of the server's history was integrated when the changeset was made.
  package var serverVersion: UInt64
  /// The file that made it: 0 is this one.
  package var origin: UInt64
  /// Milliseconds since 2015-01-01T00:00:00Z, by the clock of who made it.
  package var timestamp: UInt64

  /// An entry with everything that it says.
  package init(changeset: [UInt8]?, reciprocal: [UInt8]? = nil, serverVersion: UInt64, origin: UInt64, timestamp: UInt64) {
    (self.changeset, self.reciprocal) = (changeset, reciprocal)
    (self.serverVersion, self.origin, self.timestamp) = (serverVersion, origin, timestamp)
  }

  /// Whether the server gets it.
  package var isUploaded: Bool { origin == 0 && changeset?.isEmpty == false }
}

/// What a commit to a file that synchronises changes in its history.
package struct SyncCommit: Sendable {
  /// The new entry.
  package var entry: SyncEntry
  /// The size of the changeset that this file made, before it is stored.
  package var localByteCount = 0
  /// Replaces what the history says of the progress; the entry's bytes are added to what can be uploaded.
  package var status: SyncStatus?
  /// New transformed forms of older entries, by the versions that those made.
  package var reciprocals: [(version: UInt64, changeset: [UInt8])] = []
  /// Entries up to this version go.
  package var trimsThrough: UInt64?

  /// A commit that leaves an entry and nothing else.
  package init(entry: SyncEntry) { self.entry = entry }

  /// Takes over what this file changed.
  mutating func record(_ changeset: [UInt8]) {
    guard !changeset.isEmpty else { return }
    (entry.changeset, localByteCount) = (StoredChangeset.store(changeset), changeset.count)
  }
}
