// The file itself: a picture of its bytes, versions, growth, history, and work on it.
import { h, svg, fill, bytes, number, plural, toast, confirmed, questions, settled, dialog } from "./dom.js";
import { get, post } from "./server.js";

/** Colours of kinds; properties of a class share its hue. */
function colour(owner, hues) {
  const hue = hues.get(owner.class) ?? 210;
  switch (owner.kind) {
    case "free": return [128, 128, 128, 0.16];
    case "header": return [90, 90, 90, 1];
    case "history": return [150, 110, 60, 1];
    case "unknown": return [230, 0, 0, 1];
    case "index": return [...fromHue(hue, 0.9, 0.32), 1];
    case "structure": return owner.class ? [...fromHue(hue, 0.35, 0.45), 1] : [110, 110, 120, 1];
    default: {
      let sum = 0;
      for (const letter of owner.property) sum = (sum * 31 + letter.codePointAt(0)) % 997;
      return [...fromHue(hue, 0.55 + (sum % 4) / 10, 0.5 + (sum % 7) / 24), 1];
    }
  }
}
function fromHue(hue, saturation, light) {
  const f = (n) => { const k = (n + hue / 30) % 12; return Math.round(255 * (light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))); };
  return [f(0), f(8), f(4)];
}
const words = (owner) => ({ free: "free", header: "header", history: "history", unknown: "unknown", index: owner.property ? `${owner.class}.${owner.property}: index` : `${owner.class}: indexes`, structure: owner.class ? `${owner.class}: structure` : "tables and names", property: `${owner.class}.${owner.property}` })[owner.kind];

export class FileView {
  constructor({ file, edited }) {
    Object.assign(this, { file, edited });
    this.canvas = h("canvas", { "data-test": "map", tabindex: 0, "aria-label": "map of the file's bytes" });
    this.legend = h("div", { class: "legend" });
    this.crumbs = h("div", { class: "crumbs" });
    this.tip = h("div", { class: "tip faint" }, "Click to look closer, right-click to go back.");
    this.facts = h("div", { class: "facts" });
    this.work = h("div", { class: "work" });
    this.history = h("div", { class: "history" });
    this.jobs = h("div", { class: "jobs" });
    this.element = h("div", { class: "file" },
      h("section", {}, h("h2", {}, "Where the bytes are"), this.crumbs, this.canvas, this.tip, this.legend),
      h("section", {}, h("h2", {}, "Work on the file"), this.work, this.jobs),
      h("section", {}, h("h2", {}, "Space and versions"), this.facts), h("section", {}, h("h2", {}, "History"), this.history));
    this.ranges = [];
    this.askForMap = questions();
    this.canvas.addEventListener("click", (event) => this.zoom(event));
    this.canvas.addEventListener("contextmenu", (event) => { event.preventDefault(); this.back(); });
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("keydown", (event) => { if (event.key === "Escape") this.back(); });
    this.later = settled(150, () => this.load().catch((error) => toast(error.message, "bad")));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  show() { this.later(); this.drawWork(); }
  changed() { if (this.element.isConnected) this.later(); }

  async load() {
    const [status, history] = await Promise.all([get("status"), get("history")]);
    this.drawFacts(status);
    this.drawHistory(history);
    await this.loadMap();
  }

  // The picture

  get size() { return { columns: Math.max(32, Math.floor(this.canvas.clientWidth / 6)), rows: 48 }; }

  async loadMap() {
    const isWanted = this.askForMap();
    const range = this.ranges.at(-1);
    const { columns, rows } = this.size;
    const map = await get("map", { parts: columns * rows, from: range?.from, to: range ? Math.min(range.to, range.end) : undefined });
    if (!isWanted()) return;
    this.map = map;
    const classes = [...new Set(map.owners.map((owner) => owner.class))].filter(Boolean).sort();
    this.hues = new Map(classes.map((name, index) => [name, Math.round(index * 137.5) % 360]));
    this.draw();
    fill(this.crumbs, h("button", { class: "link", onclick: () => { this.ranges = []; this.loadMap(); } }, `whole file, ${bytes(map.fileBytes)}`),
      this.ranges.map((range, index) => [" › ", h("button", { class: "link", onclick: () => { this.ranges = this.ranges.slice(0, index + 1); this.loadMap(); } }, `${bytes(range.to - range.from)} at ${number(range.from)}`)]),
      map.violations ? h("span", { class: "bad" }, ` · ${plural(map.violations, "violation")}; verify the file`) : "");
    const owners = map.owners.filter((owner) => owner.bytes > 0).sort((a, b) => b.bytes - a.bytes);
    fill(this.legend, owners.slice(0, 40).map((owner) => {
      const mark = h("span", { class: "mark" });
      mark.style.background = `rgba(${colour(owner, this.hues).join(",")})`;
      return h("div", {}, mark, h("span", {}, words(owner)), h("span", { class: "faint" }, bytes(owner.bytes)));
    }));
  }

  draw() {
    const map = this.map;
    if (!map || !this.canvas.clientWidth) return;
    const { columns } = this.size;
    const rows = Math.ceil(map.parts.length / columns);
    this.canvas.width = columns;
    this.canvas.height = rows;
    this.canvas.style.height = Math.min(340, rows * 7) + "px";
    const context = this.canvas.getContext("2d");
    const picture = context.createImageData(columns, rows);
    const colours = map.owners.map((owner) => colour(owner, this.hues));
    map.parts.forEach((owner, index) => picture.data.set([...colours[owner].slice(0, 3), colours[owner][3] * 255], index * 4));
    context.putImageData(picture, 0, 0);
  }

  part(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / box.width * this.canvas.width);
    const row = Math.floor((event.clientY - box.top) / box.height * this.canvas.height);
    return Math.max(0, Math.min(this.map.parts.length - 1, row * this.canvas.width + column));
  }

  point(event) {
    if (!this.map) return;
    const part = this.part(event);
    fill(this.tip, `${words(this.map.owners[this.map.parts[part]])} at byte ${number(Math.floor(this.map.from + part * this.map.partBytes))}`);
  }

  zoom(event) {
    if (!this.map || this.map.to - this.map.from <= 4096) return;
    const middle = this.map.from + this.part(event) * this.map.partBytes;
    const width = Math.max(4096, (this.map.to - this.map.from) / 16);
    const from = Math.max(this.map.from, Math.floor((middle - width / 2) / 8) * 8);
    this.ranges.push({ from, to: Math.min(this.map.to, from + Math.floor(width)), end: this.map.fileBytes });
    this.loadMap().catch((error) => toast(error.message, "bad"));
  }

  back() {
    this.ranges.pop();
    this.loadMap().catch((error) => toast(error.message, "bad"));
  }

  // Facts

  drawFacts(status) {
    const rows = [["file", bytes(status.fileBytes)], ["in use", `${bytes(status.usedBytes)} of ${bytes(status.totalBytes)}`],
      ["free", `${bytes(status.freeBytes)} in ${plural(status.freeBlocks, "block")}, largest ${bytes(status.largestFreeBytes)}`], ["fragmentation", `${Math.round(status.fragmentation * 100)} %`],
      ["history", `${bytes(status.historyBytes)} in ${plural(status.changesets, "entry").replace("entrys", "entries")}`],
      ["newest version", number(status.newestVersion)], ["others with the file open", number(status.participants)]];
    const ago = (seconds) => seconds === null ? "before this session" : seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
    fill(this.facts,
      h("table", { class: "plain pairs" }, rows.map(([name, value]) => h("tr", {}, h("th", {}, name), h("td", {}, value)))),
      h("h3", {}, "Versions"), h("table", { class: "plain", "data-test": "versions" }, h("thead", {}, h("tr", {}, ["version", "bytes", "readers", "frozen", "held for", ""].map((title) => h("th", {}, title)))),
        h("tbody", {}, status.versions.map((version) => h("tr", {}, h("td", { class: "number" }, number(version.version)), h("td", { class: "number" }, bytes(version.bytes)), h("td", { class: "number" }, version.live),
          h("td", { class: "number" }, version.frozen), h("td", {}, version.newest ? "" : ago(version.since)), h("td", {}, version.newest ? "newest" : ""))))),
      status.processes.length ? h("p", {}, "Open in: ", status.processes.map((process) => `${process.name} (${process.process})`).join(", ")) : h("p", { class: "faint" }, "No other process has it open."),
      h("h3", {}, "Growth in this session"), this.growth(status.growth),
      h("h3", {}, "Classes"), h("table", { class: "plain", "data-test": "class-sizes" }, h("thead", {}, h("tr", {}, ["class", "objects", "bytes"].map((title) => h("th", {}, title)))),
        h("tbody", {}, [...status.classes, ...status.otherTables].map((row) => h("tr", {}, h("td", {}, row.class ?? row.title), h("td", { class: "number" }, number(row.objects)), h("td", { class: "number" }, bytes(row.bytes)))))));
  }

  growth(samples) {
    const [width, height] = [600, 120];
    const end = Math.max(1, samples.at(-1)?.[0] ?? 1);
    const most = Math.max(1, ...samples.map((sample) => sample[2]));
    const line = (index) => samples.map((sample) => `${(sample[0] / end * width).toFixed(1)},${(height - sample[index] / most * (height - 8)).toFixed(1)}`).concat(samples.length === 1 ? [`${width},${(height - samples[0][index] / most * (height - 8)).toFixed(1)}`] : []).join(" ");
    return h("div", { class: "growth" }, svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "size of the file over the session" },
      svg("polyline", { points: line(2), class: "line file-line" }), svg("polyline", { points: line(3), class: "line used-line" })),
    h("div", { class: "faint" }, `file (solid) and bytes in use (dashed), up to ${bytes(most)}, over ${end < 120 ? `${Math.round(end)} s` : `${Math.round(end / 60)} min`}`));
  }

  drawHistory(history) {
    fill(this.history, h("p", { class: "faint" }, `${plural(history.total, "entry").replace("entrys", "entries")} in the file, newest first.`), history.entries.map((entry) =>
      h("details", {}, h("summary", {}, `version ${number(entry.version)}: ${plural(entry.count, "change")}`, h("span", { class: "faint" }, ` ${bytes(entry.bytes)}`)),
        h("ul", {}, entry.words.map((text) => h("li", {}, text)), entry.count > entry.words.length ? h("li", { class: "faint" }, `and ${number(entry.count - entry.words.length)} more`) : ""))));
  }

  // Work

  drawWork() {
    const { writable } = this.file();
    const start = async (body) => { try { await post("job", body); } catch (error) { toast(error.message, "bad"); } };
    fill(this.work, h("div", { class: "buttons" },
      h("button", { "data-test": "verify", onclick: () => start({ work: "verify" }) }, "Verify"),
      writable ? h("button", { "data-test": "compact", onclick: async () => { if (await confirmed("Compact the file?", "It is rewritten without its free space. Other programs must not have it open.", "Compact")) start({ work: "compact" }); } }, "Compact") : "",
      writable ? h("button", { "data-test": "compact-online", onclick: () => start({ work: "compact-online" }) }, "Compact online") : "",
      h("button", { "data-test": "copy", onclick: () => this.copy(start) }, "Copy…")));
  }

  async copy(start) {
    const body = await dialog("Copy the file", (close) => {
      const path = h("input", { value: this.file().path.replace(/\.realm$/, "") + "-copy.realm", "aria-label": "path", "data-test": "copy-path" });
      const key = h("input", { type: "password", autocomplete: "off", placeholder: "128 hexadecimal digits", "aria-label": "new key" });
      const plain = h("input", { type: "checkbox" });
      return [h("p", {}, "A compacted copy of the newest version, while others use the file."), h("div", { class: "fields" }, h("label", {}, h("span", {}, "To"), path),
        h("label", {}, h("span", {}, "New key"), key), this.file().encrypted ? h("label", {}, h("span", {}, "Without encryption"), plain) : ""),
      h("div", { class: "buttons" }, h("button", { onclick: () => close() }, "Cancel"), h("button", { class: "primary", "data-test": "copy-go", onclick: () => close({ work: "copy", path: path.value, key: key.value, noKey: plain.checked }) }, "Copy"))];
    });
    if (body) start(body);
  }

  /** A job began, went on or ended. */
  job(event) {
    const id = `job-${event.job}`;
    let line = this.jobs.querySelector(`#${id}`);
    if (!line) { line = h("div", { id, class: "job" }); this.jobs.prepend(line); }
    line.dataset.state = event.state;
    if (event.state === "running") {
      // What can be clicked stays where it is.
      if (!line.firstChild) fill(line, h("strong", {}, event.work), " ", h("progress", { max: 1 }), h("span", {}), " ", h("button", { onclick: () => post("cancel") }, "Cancel"));
      if (event.total) {
        line.querySelector("progress").value = event.done / event.total;
        fill(line.querySelector("span"), ` ${Math.floor(100 * event.done / event.total)} %`);
      }
      return;
    }
    fill(line, h("strong", {}, event.work), " ", h("span", { class: event.state === "done" ? "good" : "bad" }, event.state), " ", event.message,
      (event.lines ?? []).length ? h("ul", {}, event.lines.slice(0, 50).map((text) => h("li", {}, text))) : "");
    this.changed();
  }
}
