/// Changesets of `Fixtures/history` as realm-core wrote them: a line of hex, then its instructions as `Tools/realm_txlog.py` decodes them.
package let logVectors = #"""
  0a 00 00 0b 00 0b 01 0d 00 00 0a 00 01 0b 00 0b 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 11, "name": "CreateObject", "obj": 0}
  {"at": 5, "op": 11, "name": "CreateObject", "obj": 1}
  {"at": 7, "op": 13, "name": "Set", "col": 0, "obj": 0}
  {"at": 10, "op": 10, "name": "SelectTable", "table": 1}
  {"at": 13, "op": 11, "name": "CreateObject", "obj": 0}
  {"at": 15, "op": 11, "name": "CreateObject", "obj": 1}
  0a 00 00 0d 00 00 0d 00 00 0d 81 80 08 00 0d 00 00 0d 00 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 0}
  {"at": 6, "op": 13, "name": "Set", "col": 0, "obj": 0}
  {"at": 9, "op": 13, "name": "Set", "col": 131073, "obj": 0}
  {"at": 14, "op": 13, "name": "Set", "col": 0, "obj": 0}
  {"at": 17, "op": 13, "name": "Set", "col": 0, "obj": 1}
  0a 00 00 1e 82 80 80 c0 00 00 1f 00 1f 01 1f 02 20 00 21 00 02 23 01 1f 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 30, "name": "SelectCollection", "col": 134217730, "obj": 0}
  {"at": 10, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 12, "op": 31, "name": "CollectionInsert", "index": 1}
  {"at": 14, "op": 31, "name": "CollectionInsert", "index": 2}
  {"at": 16, "op": 32, "name": "CollectionSet", "index": 0}
  {"at": 18, "op": 33, "name": "CollectionMove", "index": 0, "to": 2}
  {"at": 21, "op": 35, "name": "CollectionErase", "index": 1}
  {"at": 23, "op": 31, "name": "CollectionInsert", "index": 0}
  0a 00 00 1e 83 80 88 80 02 00 1f 00 1f 00 23 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 30, "name": "SelectCollection", "col": 537001987, "obj": 0}
  {"at": 10, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 12, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 14, "op": 35, "name": "CollectionErase", "index": 0}
  0a 00 00 1e 84 80 80 80 01 00 1f 00 1f 00 20 00 23 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 30, "name": "SelectCollection", "col": 268435460, "obj": 0}
  {"at": 10, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 12, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 14, "op": 32, "name": "CollectionSet", "index": 0}
  {"at": 16, "op": 35, "name": "CollectionErase", "index": 1}
  0a 00 00 0d 86 80 b0 20 00 1e 87 80 b0 c0 00 00 1f 00 1f 01 1f 02 0d 88 80 b0 20 00 2b 85 80 98 20 01 0d 85 80 98 20 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 67895302, "obj": 0}
  {"at": 9, "op": 30, "name": "SelectCollection", "col": 135004167, "obj": 0}
  {"at": 16, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 18, "op": 31, "name": "CollectionInsert", "index": 1}
  {"at": 20, "op": 31, "name": "CollectionInsert", "index": 2}
  {"at": 22, "op": 13, "name": "Set", "col": 67895304, "obj": 0}
  {"at": 28, "op": 43, "name": "TypedLinkChange", "col": 67502085, "table": 1}
  {"at": 34, "op": 13, "name": "Set", "col": 67502085, "obj": 1}
  0a 00 02 0d 81 80 80 80 08 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 2}
  {"at": 3, "op": 13, "name": "Set", "col": 2147483649, "obj": 0}
  0a 00 00 0d 86 80 b0 20 00 1e 87 80 b0 c0 00 00 23 00 23 01 0d 85 80 98 20 01 0a 00 01 0c 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 67895302, "obj": 0}
  {"at": 9, "op": 30, "name": "SelectCollection", "col": 135004167, "obj": 0}
  {"at": 16, "op": 35, "name": "CollectionErase", "index": 0}
  {"at": 18, "op": 35, "name": "CollectionErase", "index": 1}
  {"at": 20, "op": 13, "name": "Set", "col": 67502085, "obj": 1}
  {"at": 26, "op": 10, "name": "SelectTable", "table": 1}
  {"at": 29, "op": 12, "name": "RemoveObject", "obj": 0}
  0a 00 00 1e 82 80 80 c0 00 00 24 03 1e 83 80 88 80 02 00 24 01 1e 84 80 80 80 01 00 24 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 30, "name": "SelectCollection", "col": 134217730, "obj": 0}
  {"at": 10, "op": 36, "name": "CollectionClear", "old_size": 3}
  {"at": 12, "op": 30, "name": "SelectCollection", "col": 537001987, "obj": 0}
  {"at": 19, "op": 36, "name": "CollectionClear", "old_size": 1}
  {"at": 21, "op": 30, "name": "SelectCollection", "col": 268435460, "obj": 0}
  {"at": 28, "op": 36, "name": "CollectionClear", "old_size": 1}
  -
  0a 00 00 14 89 80 04 16 00 01 03
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 20, "name": "InsertColumn", "col": 65545}
  {"at": 7, "op": 22, "name": "RenameColumn", "col": 0}
  {"at": 9, "op": 1, "name": "InsertTable", "table": 3}
  0a 00 00 15 81 80 08 02 03
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 21, "name": "EraseColumn", "col": 131073}
  {"at": 7, "op": 2, "name": "EraseTable", "table": 3}
  01 83 80 04 0a 00 83 80 04 14 80 80 80 80 8c 80 10 0b 00 0b 01
  {"at": 0, "op": 1, "name": "InsertTable", "table": 65539}
  {"at": 4, "op": 10, "name": "SelectTable", "table": 65539}
  {"at": 9, "op": 20, "name": "InsertColumn", "col": 70371965403136}
  {"at": 17, "op": 11, "name": "CreateObject", "obj": 0}
  {"at": 19, "op": 11, "name": "CreateObject", "obj": 1}
  0a 00 00 0b 02 0a 00 02 0c 00 0a 00 00 0c 00 0c 01 0c 02
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 11, "name": "CreateObject", "obj": 2}
  {"at": 5, "op": 10, "name": "SelectTable", "table": 2}
  {"at": 8, "op": 12, "name": "RemoveObject", "obj": 0}
  {"at": 10, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 13, "op": 12, "name": "RemoveObject", "obj": 0}
  {"at": 15, "op": 12, "name": "RemoveObject", "obj": 1}
  {"at": 17, "op": 12, "name": "RemoveObject", "obj": 2}
  -
  0a 00 00 0d 80 80 98 20 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 67502080, "obj": 0}
  0a 00 00 1e 80 80 98 20 00 1f 00 1f 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 30, "name": "SelectCollection", "col": 67502080, "obj": 0}
  {"at": 9, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 11, "op": 31, "name": "CollectionInsert", "index": 1}
  0a 00 00 2d 80 80 98 20 00 01 49 1f 00 1f 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 45, "name": "SelectCollectionByPath", "col": 67502080, "obj": 0, "path": [-10]}
  {"at": 11, "op": 31, "name": "CollectionInsert", "index": 0}
  {"at": 13, "op": 31, "name": "CollectionInsert", "index": 1}
  0a 00 00 2d 80 80 98 20 00 01 49 23 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 45, "name": "SelectCollectionByPath", "col": 67502080, "obj": 0, "path": [-10]}
  {"at": 11, "op": 35, "name": "CollectionErase", "index": 0}
  0a 00 00 0d 00 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 0}
  0a 00 00 0d 00 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 1}
  0a 00 00 0d 00 02
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 2}
  0a 00 00 0d 00 02
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 2}
  0a 00 00 0d 00 00
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 0}
  0a 00 00 0d 00 01
  {"at": 0, "op": 10, "name": "SelectTable", "table": 0}
  {"at": 3, "op": 13, "name": "Set", "col": 0, "obj": 1}
  """#
