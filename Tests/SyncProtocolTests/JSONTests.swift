import Changesets
import Testing

@testable import SyncProtocol

@Suite struct JSONTests {
  @Test(arguments: [
    "{}", "[]", "null", "true", "-12", "18446744073709551615", "[1,\"a\",{\"b\":[false,null]}]", "0.5", "{\"a\\u0001\":\"\\\"\\\\\"}",
    "\"\u{1F600}\"",
  ])
  func aValueIsWrittenAsItWasRead(_ text: String) throws {
    #expect(try JSONReader.value(text).text == text)
  }

  @Test func escapesAndSpacesAreUnderstood() throws {
    #expect(try JSONReader.value(" [ \"\\u00e9\\ud83d\\ude00\\n\\/\" , 1e2 ]\n") == .array([.string("\u{e9}\u{1F600}\n/"), .number(100)]))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "+1", "- 1", "tru", "\"\n\"", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"\\ud800\\u0041\"", "[1] 2", "{\"a\":1,\"a\":2}", "1e999", "'a'", "/*a*/1", "\"abc", "[", "\"\\u00g0\"", "NaN", "\u{FEFF}1", "--1",
  ])
  func whatIsNoJSONIsRefused(_ text: String) {
    #expect(throws: JSONReader.Failure.self) { try JSONReader.value(text) }
  }

  @Test func depthHasALimit() {
    #expect(throws: JSONReader.Failure.self) { try JSONReader.value(String(repeating: "[", count: 100_000)) }
    #expect(throws: Never.self) { try JSONReader.value(String(repeating: "[", count: 30) + String(repeating: "]", count: 30)) }
  }

  @Test(arguments: [
    ([UInt8](), ""), ([0x66], "Zg=="), ([0x66, 0x6f], "Zm8="), ([0x66, 0x6f, 0x6f], "Zm9v"), ([1, 9], "AQk="), ([0xfb, 0xff, 0xfe], "+//+"),
  ])
  func bytesAreTextInBase64(_ bytes: [UInt8], _ text: String) {
    #expect(Base64.text(bytes) == text)
    #expect(Base64.bytes(text) == bytes)
  }

  @Test(arguments: ["Zg", "Zg=", "Z===", "Zh==", "Zm9", "Zm=v", "====", "Zm9v====", "Zm 9", "Zm9-", "Zm9="]) func textThatIsNoBase64IsRefused(
    _ text: String
  ) {
    #expect(Base64.bytes(text) == nil)
  }

  @Test(arguments: [
    DetachedKey.null, .int(9), .int(-5), .int(.min), .string(Array("caf\u{e9}".utf8)), .string([]), .objectID(0x507f_1f77_bcf8_6cd7_9943_9011),
    .uuid(0x3b24_1101_e2bb_4255_8caf_4136_c566_a962),
  ])
  func aKeyIsReadAsItWasWritten(_ key: DetachedKey) {
    #expect(DetachedKey(parsing: key.encoded) == key)
    #expect(DetachedKey(parsing: key.encoded + [0]) == nil)
    #expect(DetachedKey(parsing: key.encoded.dropLast()) == nil)
  }

  @Test func aKeyThatObjectsCannotHaveIsRefused() {
    for bytes: [UInt8] in [[2, 1], [0x45], [], [0x80], [1], [3, 5, 1], [0x7f, 1]] { #expect(DetachedKey(parsing: bytes) == nil) }
  }
}

@Suite struct PartitionValueTests {
  @Test(arguments: [
    (PartitionValue.string("public"), "\"public\""), (.integer(5), "{\"$numberLong\":\"5\"}"), (.null, "null"),
    (.objectID(0x507f_1f77_bcf8_6cd7_9943_9011), "{\"$oid\":\"507f1f77bcf86cd799439011\"}"),
    (.uuid(0x3b24_1101_e2bb_4255_8caf_4136_c566_a962), "{\"$binary\":{\"base64\":\"OyQRAeK7QlWMr0E2xWapYg==\",\"subType\":\"04\"}}"),
    (.objectID(1), "{\"$oid\":\"000000000000000000000001\"}"), (.integer(.min), "{\"$numberLong\":\"-9223372036854775808\"}"),
  ])
  func aPartitionIsExtendedJSON(_ value: PartitionValue, _ text: String) {
    #expect(value.text() == text)
    #expect(PartitionValue(parsing: text) == value)
  }

  @Test func bothWidthsOfAnIntegerNameTheSamePartition() {
    #expect(PartitionValue(parsing: "{\"$numberInt\":\"5\"}")?.key == PartitionValue(parsing: "{\"$numberLong\":\"5\"}")?.key)
    #expect(PartitionValue.integer(5).text(isNarrow: true) == "{\"$numberInt\":\"5\"}")
    #expect(PartitionValue.integer(1 << 40).text(isNarrow: true) == "{\"$numberLong\":\"1099511627776\"}")
  }

  @Test func namesOfOtherBytesAreOtherPartitions() {
    #expect(PartitionValue.string("\u{e9}") != PartitionValue.string("e\u{301}"))
    #expect(PartitionValue(parsing: "\"\\u00e9\"") == PartitionValue(parsing: "\"\u{e9}\""))
  }

  @Test(arguments: [
    "/s0", "", "{}", "[]", "true", "0.5", "{\"$numberInt\":5}", "{\"$numberInt\":\"2147483648\"}", "{\"$numberLong\":\"+5\"}", "{\"$oid\":\"507f\"}",
    "{\"$oid\":\"507f1f77bcf86cd79943901g\"}", "{\"$binary\":{\"base64\":\"OyQR\",\"subType\":\"04\"}}",
    "{\"$binary\":{\"base64\":\"OyQRAeK7QlWMr0E2xWapYg==\",\"subType\":\"00\"}}", "{\"$numberInt\":\"5\",\"a\":1}", "{\"$date\":1}",
  ])
  func whatNamesNoPartitionIsRefused(_ text: String) {
    #expect(PartitionValue(parsing: text) == nil)
  }
}

@Suite struct BodyTests {
  @Test func theBodyOfAFlexibleBindHasItsKeysInOrder() throws {
    #expect(FlexibleBind().text == "{\"schemaVersion\":0,\"sessionReason\":0}")
    let migrated = FlexibleBind(migratedPartition: "\"x\"", schemaVersion: 3, reason: .clientReset)
    #expect(migrated.text == "{\"migratedPartition\":\"\\\"x\\\"\",\"schemaVersion\":3,\"sessionReason\":1}")
    #expect(try FlexibleBind(parsing: migrated.text) == migrated)
    #expect(try FlexibleBind(parsing: "{\"another\":1}") == FlexibleBind())
  }

  @Test(arguments: ["[]", "1", "{\"schemaVersion\":-1}", "{\"sessionReason\":2}", "{\"migratedPartition\":1}", "{\"schemaVersion\":\"1\"}", "/s0"])
  func aFlexibleBindOfOtherTypesIsRefused(_ text: String) {
    #expect(throws: ProtocolError.self) { try FlexibleBind(parsing: text) }
  }

  @Test func subscriptionsOfAClassAreOneQuery() throws {
    let query = QueryText(subscriptions: [
      ("Person", "name BEGINSWITH \"A\""), ("Dog", "TRUEPREDICATE"), ("Person", "age > 5"), ("Person", "age > 5"),
    ])
    #expect(query.text == "{\"Dog\":\"(TRUEPREDICATE)\",\"Person\":\"(age > 5) OR (name BEGINSWITH \\\"A\\\")\"}")
    #expect(try QueryText(parsing: query.text) == query)
    #expect(QueryText(subscriptions: []).text == "{}")
    #expect(throws: ProtocolError.self) { try QueryText(parsing: "{\"Person\":1}") }
    #expect(throws: ProtocolError.self) { try QueryText(parsing: "[]") }
  }

  @Test func aLogMessageMayLackAnything() throws {
    let body = "{\"co_id\":\"6b00\",\"level\":\"info\",\"msg\":\"Client connection\"}"
    #expect(try LogBody(parsing: body).body == body)
    #expect(try LogBody(parsing: "{}") == LogBody(level: nil, text: nil, requestIdent: nil))
    #expect(throws: ProtocolError.self) { try LogBody(parsing: "{\"level\":") }
  }

  @Test func aClientSaysWhyItCannotIntegrate() throws {
    let body = ClientErrorBody(message: "BadChangeset: \"x\"")
    #expect(body.text == "{\"message\":\"BadChangeset: \\\"x\\\"\"}")
    #expect(try ClientErrorBody(parsing: body.text) == body)
    #expect(throws: ProtocolError.self) { try ClientErrorBody(parsing: "{}") }
  }
}

@Suite struct ErrorBodyTests {
  private let usual =
    "{\"message\":\"m\",\"tryAgain\":false,\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"Warning\"}"

  /// The usual one with other members at the end.
  private func with(_ members: String) -> String { usual.dropLast() + "," + members + "}" }

  @Test func theCapturedCompensatingWriteIsReadAndWritten() throws {
    let text = with(
      "\"compensatingWriteServerVersion\":6,\"rejectedClientVersion\":16,\"rejectedUpdates\":["
        + "{\"reason\":\"write outside of the permissions\",\"table\":\"Person\",\"pk\":\"AQk=\"}]")
    let body = try ErrorBody(parsing: text, code: ErrorCode.compensatingWrite.rawValue)
    let update = ErrorBody.Rejection.Update(reason: "write outside of the permissions", table: "Person", key: .int(9))
    #expect(body.rejection == ErrorBody.Rejection(serverVersion: 6, clientVersion: 16, updates: [update]))
    #expect(body.text == text)
  }

  @Test(arguments: ["message", "tryAgain", "logURL", "shouldClientReset", "isRecoveryModeDisabled", "action"])
  func everyRequiredKeyIsRequired(_ name: String) throws {
    #expect(try ErrorBody(parsing: usual, code: 201).text == usual)
    #expect(throws: ProtocolError.self) { try ErrorBody(parsing: usual.replacing("\"\(name)\"", with: "\"x\""), code: 201) }
    #expect(throws: ProtocolError.self) { try ErrorBody(parsing: usual.replacing("\"\(name)\":", with: "\"\(name)\":3,\"x\":"), code: 201) }
  }

  @Test func aWaitNeedsAllOfItsKeys() throws {
    let text = with("\"backoffIntervalSec\":5,\"backoffMaxDelaySec\":60,\"backoffMultiplier\":2")
    let body = try ErrorBody(parsing: text, code: 201)
    #expect(body.backOff == ErrorBody.BackOff(seconds: 5, longestSeconds: 60, multiplier: 2))
    #expect(body.text == text)
    #expect(throws: ProtocolError.self) { try ErrorBody(parsing: with("\"backoffIntervalSec\":5"), code: 201) }
    #expect(try ErrorBody(parsing: with("\"backoffMaxDelaySec\":5"), code: 201).backOff == nil)
  }

  @Test(arguments: [
    (Int32(232), ""), (232, "\"partitionQuery\":\"\""), (232, "\"partitionQuery\":1"), (236, ""), (236, "\"previousSchemaVersion\":-1"),
    (236, "\"previousSchemaVersion\":\"1\""), (231, ""), (231, "\"rejectedUpdates\":[]"), (231, "\"rejectedUpdates\":{},\"rejectedClientVersion\":1"),
    (231, "\"rejectedUpdates\":[],\"rejectedClientVersion\":1"),
    (230, "\"rejectedUpdates\":[{\"reason\":\"\",\"table\":\"\",\"pk\":\"AgE=\"}],\"rejectedClientVersion\":1"),
    (230, "\"rejectedUpdates\":[{\"reason\":\"\",\"table\":\"\"}],\"rejectedClientVersion\":1"),
    (230, "\"rejectedUpdates\":[1],\"rejectedClientVersion\":1"),
  ])
  func aKeyThatACodeAsksForIsRequired(_ code: Int32, _ members: String) {
    #expect(throws: ProtocolError.self) { try ErrorBody(parsing: members.isEmpty ? usual : with(members), code: code) }
  }

  @Test func migrationsCarryWhatTheyNeed() throws {
    let query = with("\"partitionQuery\":\"owner == \\\"x\\\"\"")
    #expect(try ErrorBody(parsing: query, code: 232).partitionQuery == "owner == \"x\"")
    #expect(try ErrorBody(parsing: query, code: 232).text == query)
    let version = with("\"previousSchemaVersion\":0")
    #expect(try ErrorBody(parsing: version, code: 236).previousSchemaVersion == 0)
    #expect(try ErrorBody(parsing: version, code: 236).text == version)
  }

  @Test func refusedWritesNeedNoVersionThatMakesUpForThem() throws {
    let text = with("\"rejectedClientVersion\":1,\"rejectedUpdates\":[]")
    #expect(try ErrorBody(parsing: text, code: 230).rejection == ErrorBody.Rejection(serverVersion: nil, clientVersion: 1, updates: []))
  }
}
