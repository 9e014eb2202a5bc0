extension Database {
  /// Every version that somebody holds in any process, and the newest, in ascending order. Empty for a file without a lock file.
  package func versionClaims() throws(StorageError) -> [VersionClaims] { try session?.versionClaims() ?? [] }

  /// Participants of all processes, this one and those that died in this session included; 0 without a lock file.
  package var participantCount: Int { session?.participantCount ?? 0 }
}
