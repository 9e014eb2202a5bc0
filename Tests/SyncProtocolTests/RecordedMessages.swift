import SyncProtocol

/// Messages between the original client and servers, byte for byte (P5, P7, P9, P11, P12).
enum RecordedMessages {
  struct Recorded: Sendable, CustomStringConvertible {
    let mode: SyncMode
    let bytes: [UInt8]
    var description: String { Notation.text(bytes) }

    init(_ mode: SyncMode, _ text: String, body: [UInt8] = []) { (self.mode, bytes) = (mode, Notation.bytes(text) + body) }
  }

  /// The instructions of the first upload (P11).
  static let firstChangeset = Notation.hex(
    """
    3f000150 3f01035f6964 00 00 00 01 01 00 3f020169 3f0300 06 00 02 01 00 00 3f040173 06 00 04 03 01 00 3f05026c69 06 00 05 01 00 01 02 00 01 01 \
    08 00 01 01 05 01 00 01 07 00
    """)

  /// A number of bytes that stand for a changeset whose bytes were not written down.
  static func some(_ byteCount: Int) -> [UInt8] { (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) } }

  static let client: [Recorded] = [
    Recorded(.partition, "bind 1 3 0 1 0\n/s0"),
    Recorded(.partition, "bind 1 8 0 1 0\n\"public\""),
    Recorded(.partition, "bind 3 3 0 0 0\n/s0"),
    Recorded(.partition, "ident 1 2 9054908974073097061 0 0 0 0\n"),
    Recorded(.partition, "ident 2 3 354664688139831904 0 0 0 0\n"),
    Recorded(.partition, "ident 3 2 9054908974073097061 1 2 1 4477468298002111921\n"),
    Recorded(.partition, "mark 1 2\n"), Recorded(.partition, "mark 3 1\n"), Recorded(.partition, "mark 3 2\n"),
    Recorded(.partition, "upload 1 0 76 0 4 0 0\n2 0 10 0 64 ", body: firstChangeset),
    Recorded(.partition, "upload 1 0 0 0 5 1 1\n"),
    Recorded(
      .partition, "upload 3 0 45 0 7 1 1\n6 1 100 0 32 ",
      body: Notation.hex("3f0001503f0101690400010101000105003f02026c6908000101020100010801")),
    Recorded(.partition, "unbind 1\n"),
    Recorded(.partition, "ping 1234567 0\n"),
    Recorded(.partition, "json_error 212 87 1\n{\"message\":\"BadChangeset: Failed to parse received changeset: it ends too early here!\"}"),
    Recorded(.flexible, "bind 1 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":0}"),
    Recorded(.flexible, "bind 3 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":1}"),
    Recorded(.flexible, "bind 4 37 0 0 0\n{\"schemaVersion\":0,\"sessionReason\":1}"),
    Recorded(.flexible, "ident 1 11 1011 0 0 0 0 0 2\n{}"),
    Recorded(.flexible, "ident 2 11 1011 5 16 5 77 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"),
    Recorded(.flexible, "ident 3 12 1012 0 0 0 0 0 2\n{}"),
    Recorded(.flexible, "ident 4 12 1012 7 0 7 77 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"),
    Recorded(.flexible, "query 1 1 22\n{\"Person\":\"(age > 5)\"}"),
    Recorded(.flexible, "query 1 2 49\n{\"Person\":\"(age > 5) OR (name BEGINSWITH \\\"A\\\")\"}"),
    Recorded(.flexible, "query 3 1 28\n{\"Person\":\"(TRUEPREDICATE)\"}"),
    Recorded(.flexible, "upload 1 0 71 0 6 0 2\n5 0 375147311419 0 49 ", body: some(49)),
    Recorded(.flexible, "upload 1 0 0 0 12 3 3\n"), Recorded(.flexible, "upload 1 0 0 0 14 4 4\n"),
    Recorded(.flexible, "upload 1 0 51 0 16 4 4\n16 4 375147311540 0 28 ", body: some(28)),
    Recorded(.flexible, "upload 4 0 36 0 21 7 7\n18 7 375147852547 0 13 ", body: some(13)),
    Recorded(.flexible, "mark 1 1\n"), Recorded(.flexible, "unbind 3\n"), Recorded(.flexible, "test_command 1 1 2\n{}"),
  ]

  static let server: [Recorded] = [
    Recorded(.partition, "log_message 0 40\n{\"co_id\":\"6b00\",\"level\":\"info\",\"msg\":\"\"}"),
    Recorded(.partition, "ident 1 2 9054908974073097061\n"), Recorded(.partition, "ident 2 3 354664688139831904\n"),
    Recorded(.partition, "download 1 0 0 0 0 0 0 0 0 0 0\n"),
    Recorded(.partition, "download 1 1 2 1 4477468298002111921 4 0 0 0 0 0\n"),
    Recorded(.partition, "download 2 1 0 1 4477468298002111921 0 0 0 0 79 0\n1 0 10 2 64 64 ", body: firstChangeset),
    Recorded(.partition, "download 3 1 2 1 4477468298002111921 5 1 0 0 0 0\n"),
    Recorded(.partition, "download 3 2 6 2 4477468298002111921 7 1 0 0 0 0\n"),
    Recorded(.partition, "mark 1 3\n"), Recorded(.partition, "unbound 1\n"), Recorded(.partition, "pong 1234567\n"),
    Recorded(.partition, "error 101 4 1 0\noops"), Recorded(.partition, "json_error 103 2 0\n{}"),
    Recorded(.flexible, "ident 1 11 1011\n"),
    Recorded(.flexible, "download 1 2 0 2 77 0 0 0 1 1 0 15 0\n2 0 1000 1 0 0 "),
    Recorded(.flexible, "download 1 3 6 3 77 6 0 0 2 1 0 0 0\n"),
    Recorded(.flexible, "download 1 4 6 4 77 6 0 1 1 1 0 113 0\n4 6 1000 1 96 96 ", body: some(96)),
    Recorded(.flexible, "download 1 5 16 5 77 16 4 1 2 1 0 0 0\n"),
    Recorded(.flexible, "download 1 6 16 6 77 16 4 1 2 1 0 31 0\n6 16 1000 1 13 13 ", body: some(13)),
    Recorded(.flexible, "download 4 7 0 7 77 0 0 1 2 1 0 0 0\n"),
    Recorded(.flexible, "download 1 4 6 4 77 6 0 1 0 0.33 0 86 0\n4 6 1000 1 69 69 ", body: some(69)),
    Recorded(.flexible, "download 1 4 6 4 77 6 0 1 1 1.0 0 62 0\n4 6 1000 1 45 45 ", body: some(45)),
    Recorded(.flexible, "query_error 226 3 1 2\nbad"), Recorded(.flexible, "test_command 1 1 2\n{}"),
  ]
}
