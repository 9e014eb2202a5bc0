/// Recorded answers that are known to be wrong, and the right ones. A correction is for one recorded answer: once the file of vectors says
/// something else, it no longer counts. Runs that use one say so.
struct VectorCorrection {
  let id: String
  let recordedHash: String
  let count: Int
  let hash: String
  let reason: String

  static let all = [
    VectorCorrection(
      id: "quirk#61", recordedHash: "24b3530840d4a3f07dd74c9f596c41e7f82421bd9a0c670719b892cb45de6634",
      count: 89, hash: "f534734af74095431346882e1e475745a47728ea0c790b5f16a5df2ba8cb8e7f",
      reason: """
        realm-core takes the object key out of a dictionary entry that is null, which reads memory that nobody set; 14.14 with assertions stops there, \
        and with that entry left out it finds these 89
        """)
  ]

  static func of(_ vector: QueryVectors.Vector) -> VectorCorrection? {
    all.first { $0.id == vector.id && $0.recordedHash == vector.hash }
  }
}
