/// The page, which is part of the program: nothing is fetched from anywhere.
enum Page {
  struct File {
    let contentType: String
    let bytes: [UInt8]
  }

  static let files: [String: File] = [
    "/": File(contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
    "/style.css": File(contentType: "text/css; charset=utf-8", bytes: PackageResources.style_css),
    "/main.js": script(PackageResources.main_js), "/dom.js": script(PackageResources.dom_js),
    "/server.js": script(PackageResources.server_js), "/objects.js": script(PackageResources.objects_js),
    "/grid.js": script(PackageResources.grid_js), "/detail.js": script(PackageResources.detail_js),
    "/query.js": script(PackageResources.query_js), "/file.js": script(PackageResources.file_js),
    "/schema.js": script(PackageResources.schema_js), "/cells.js": script(PackageResources.cells_js),
    "/transfer.js": script(PackageResources.transfer_js), "/events.js": script(PackageResources.events_js),
  ]

  private static func script(_ bytes: [UInt8]) -> File { File(contentType: "text/javascript; charset=utf-8", bytes: bytes) }
}
