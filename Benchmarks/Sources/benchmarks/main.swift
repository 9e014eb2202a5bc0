import Glibc

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let directory = try Files.temporaryDirectory()
  if !options.printsJSON {
    print("seed \(options.seed); medians of processor time; every commit is durable")
    print(Report.heading)
  }
  var figures: [Figure] = []
  for rows in options.rows {
    let runner = Runner(options: options, rows: rows, directory: directory) { figure in
      print(options.printsJSON ? Report.json(figure) : Report.line(figure))
      fflush(nil)
    }
    try runner.run()
    figures += runner.figures
  }
  let opening = figures.filter { $0.workload == .openFirstReadClose }.map(\.ours)
  if let least = opening.min(), let most = opening.max(), opening.count > 1, !options.printsJSON {
    print("openFirstReadClose, largest to smallest over all sizes: \(number(most / least)), bar <= 1.25, \(most / least <= 1.25 ? "PASS" : "FAIL")")
  }
  rmdir(directory)
  exit(figures.contains { $0.passes == false } ? 1 : 0)
} catch {
  let text = Array("\(error)\n".utf8)
  write(2, text, text.count)
  exit(2)
}
