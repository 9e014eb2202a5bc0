// Classes, the table of one, and the object that is looked at.
import { h, fill, number, plural, toast, confirmed, questions } from "./dom.js";
import { get, post } from "./server.js";
import { Grid } from "./grid.js";
import { Detail, addObject } from "./detail.js";
import { QueryLine, plan, groups } from "./query.js";
import { exportMenu, importDialog } from "./transfer.js";

const remembered = (name) => { try { return JSON.parse(localStorage.getItem(name)) ?? {}; } catch { return {}; } };

export class Objects {
  /** `file()` describes the file; `place` is the address; `edited(answer)` is told. */
  constructor({ file, place, edited }) {
    Object.assign(this, { file, place, edited });
    this.side = h("nav", { class: "side", "aria-label": "classes" });
    this.query = new QueryLine({ classes: () => this.file().classes, changed: (q) => this.place.go({ q, key: "", of: "" }) });
    this.tools = h("div", { class: "tools" });
    this.panel = h("div", { class: "panels" });
    this.askForPanel = questions();
    this.status = h("div", { class: "status", role: "status" });
    this.grid = new Grid({
      load: (from, count) => this.load(from, count),
      opened: (key, property, className) => this.place.go({ of: className && className !== this.className ? className : "", key }),
      selected: () => this.drawTools(),
      sorted: (name) => this.sort(name),
      changedColumns: () => this.remember(),
    });
    this.grid.failed = (error) => { if (error.answer && "offset" in error.answer) this.query.fail(error); else fill(this.status, h("span", { class: "bad" }, error.message)); };
    this.detail = new Detail({
      file: () => this.file(), edited: (answer) => this.edited(answer),
      go: (className, key) => this.place.go({ of: className === this.className ? "" : className, key }), closed: () => this.place.go({ key: "", of: "" }),
    });
    this.element = h("div", { class: "objects" }, this.side, h("section", { class: "table" }, this.query.element, this.tools, this.panel, this.grid.element, this.status), this.detail.element);
  }

  get className() { return this.place.now.class; }
  get description() { return this.file().classes.find((candidate) => candidate.name === this.className); }
  get selection() {
    const { q, sort, desc } = this.place.now;
    return { class: this.className, q, sort, desc };
  }

  /** The address says something else. */
  show() {
    if (!this.className || !this.description) {
      const first = this.file().classes.find((candidate) => candidate.kind !== "embedded" && candidate.count > 0) ?? this.file().classes[0];
      if (first) { this.place.go({ class: first.name, q: "", sort: "", desc: "", key: "", of: "" }, true); return; }
      fill(this.side, h("p", { class: "faint" }, "The file has no classes."));
      return;
    }
    this.drawSide();
    const selection = JSON.stringify(this.selection);
    if (this.shownSelection !== selection || this.shownSchema !== this.file().schema) {
      const isSameClass = this.shownClass === this.className && this.shownSchema === this.file().schema;
      [this.shownSelection, this.shownSchema, this.shownClass] = [selection, this.file().schema, this.className];
      this.columns = { hidden: [], widths: {}, ...remembered(`columns ${this.className}`) };
      this.query.show(this.className, this.place.now.q ?? "");
      const panel = this.panel.children.length ? this.panel.dataset.shown : undefined;
      fill(this.panel);
      this.askForPanel();
      if (isSameClass && panel) this.toggle(panel);
      this.grid.reset(this.description, this.columns, this.place.now.sort ? { name: this.place.now.sort, descending: this.place.now.desc === "1" } : undefined);
      this.grid.page(0).then(() => this.grid.draw(true)).catch(this.grid.failed);
    }
    this.drawTools();
    const { key, of } = this.place.now;
    if (key) this.detail.show(of || this.className, key); else this.detail.hide();
  }

  async load(from, count) {
    const selection = this.shownSelection;
    const answer = await get("rows", { ...this.selection, from, count, hide: this.columns.hidden.join("\u001f") });
    if (selection !== this.shownSelection) return answer;
    this.version = answer.version;
    fill(this.status, plural(answer.total, "object"), h("span", { class: "faint" }, ` in ${answer.milliseconds} ms · version ${number(answer.version)}`));
    this.total = answer.total;
    return answer;
  }

  /** Somebody committed. */
  async changed(event) {
    this.drawSide();
    const touched = event.everything || (event.classes ?? []).length > 0;
    if (touched && this.className) await this.grid.refresh().catch(this.grid.failed);
    if (touched) await this.detail.refresh();
  }

  drawSide() {
    const line = (description) => h("li", {}, h("a", {
      href: "#" + this.place.address({ view: "objects", class: description.name }), class: description.name === this.className ? "here" : "", "data-class-name": description.name,
    }, h("span", {}, description.name), h("span", { class: "faint" }, number(description.count), this.sizes?.[description.name] ? ` · ${this.sizes[description.name]}` : "")));
    const kinds = [["class", ""], ["embedded", "Embedded"], ["asymmetric", "Asymmetric"]];
    fill(this.side, kinds.map(([kind, title]) => {
      const list = this.file().classes.filter((description) => description.kind === kind);
      return list.length ? [title ? h("h3", {}, title) : "", h("ul", {}, list.map(line))] : "";
    }));
  }

  drawTools() {
    const chosen = [...this.grid.chosen];
    const { writable } = this.file();
    const description = this.description;
    const button = (text, test, action, properties = {}) => h("button", { "data-test": test, onclick: action, ...properties }, text);
    fill(this.tools,
      button("Run", "run", () => this.place.go({ q: this.query.text, key: "", of: "" }), { class: "primary" }),
      button("Plan", "plan-button", () => this.toggle("plan")), button("Groups", "groups-button", () => this.toggle("groups")), button("Columns", "columns-button", () => this.toggle("columns")),
      button("Copy link", "copy-link", async () => {
        try { await navigator.clipboard.writeText(location.href); toast("The address of this query is in the clipboard."); } catch { toast("The address is in the address line."); }
      }),
      button("Export", "export", () => exportMenu(this.selection, this.description.properties)),
      writable ? button("Import", "import", () => this.import()) : "",
      writable && description?.kind === "class" ? button("Add", "add", () => this.add()) : "",
      writable && description?.kind === "class" && chosen.length ? button(`Delete ${chosen.length}`, "delete", () => this.remove(chosen), { class: "danger" }) : "",
      writable && description?.kind === "class" && this.place.now.q ? button("Delete all of the query", "delete-query", () => this.removeQuery(), { class: "danger" }) : "");
  }

  sort(name) {
    const { sort, desc } = this.place.now;
    if (sort !== name) this.place.go({ sort: name, desc: "", key: "", of: "" });
    else if (desc !== "1") this.place.go({ desc: "1", key: "", of: "" });
    else this.place.go({ sort: "", desc: "", key: "", of: "" });
  }

  remember() { localStorage.setItem(`columns ${this.className}`, JSON.stringify(this.columns)); }

  async toggle(name) {
    const isWanted = this.askForPanel();
    if (this.panel.dataset.shown === name && this.panel.children.length) { fill(this.panel); return; }
    this.panel.dataset.shown = name;
    try {
      if (name === "plan") {
        const shown = await plan(this.selection);
        if (isWanted()) fill(this.panel, shown);
      }
      if (name === "groups") fill(this.panel, groups(() => this.selection, this.description));
      if (name === "columns") fill(this.panel, this.columnList());
    } catch (error) { if (isWanted()) this.grid.failed(error); }
  }

  columnList() {
    return h("div", { class: "panel columns" }, this.description.properties.map((property) => h("label", {}, h("input", {
      type: "checkbox", checked: !this.columns.hidden.includes(property.name), "data-column": property.name, onchange: (event) => {
        this.columns.hidden = this.columns.hidden.filter((hidden) => hidden !== property.name);
        if (!event.target.checked) this.columns.hidden.push(property.name);
        this.remember();
        this.grid.drawHead();
        this.grid.refresh().catch(this.grid.failed);
      },
    }), property.name)));
  }

  async add() {
    const answer = await addObject(this.file(), this.description);
    if (!answer) return;
    this.edited(answer);
    this.place.go({ key: String(answer.key), of: "" });
  }

  async remove(keys) {
    const { className } = this;
    if (!await confirmed(`Delete ${plural(keys.length, "object")}?`, "Links to them become null. This can be taken back while realm-studio runs.", "Delete")) return;
    try {
      this.edited(await post("delete", { class: className, keys }));
      this.grid.chosen.clear();
      this.place.go({ key: "", of: "" });
    } catch (error) { toast(error.message, "bad"); }
  }

  async removeQuery() {
    const { className, total, place: { now: { q } } } = this;
    if (!await confirmed(`Delete ${plural(total, "object")}?`, `All objects of ${className} that the query selects are deleted.`, "Delete")) return;
    try { this.edited(await post("delete", { class: className, q, count: total })); } catch (error) { toast(error.message, "bad"); }
  }

  async import() {
    const answer = await importDialog(this.className, this.file().classes);
    if (!answer) return;
    toast(`Imported ${plural(answer.created, "object")}${answer.changed ? `, changed ${number(answer.changed)}` : ""}.`);
    this.edited(answer);
  }
}
