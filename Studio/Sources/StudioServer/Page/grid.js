// A table of any length: only the rows that are seen exist.
import { h, fill, number } from "./dom.js";
import { show, typeText, key, canSort } from "./cells.js";

const rowHeight = 30;
const pageLength = 100;
/** Browsers do not draw elements that are higher than this; longer tables scroll in larger steps. */
const heightLimit = 12_000_000;
const usualWidth = { int: 110, bool: 70, float: 110, double: 120, decimal: 140, date: 190, uuid: 290, objectId: 215, data: 170, link: 170, string: 200, mixed: 180 };

export class Grid {
  /**
   * `load(from, count)` resolves with `{total, rows}`; `opened(key)`, `selected(keys)`, `sorted(property)` are told.
   */
  constructor({ load, opened, selected, sorted, changedColumns }) {
    Object.assign(this, { load, opened, selected, sorted, changedColumns });
    this.head = h("div", { class: "grid-head", role: "row" });
    this.body = h("div", { class: "grid-body" });
    this.element = h("div", { class: "grid", tabindex: 0, role: "grid", "aria-label": "objects", onscroll: () => this.draw(), onkeydown: (e) => this.pressed(e) },
      this.head, this.body);
    this.pages = new Map();
    this.loading = new Map();
    this.chosen = new Set();
    this.cursor = 0;
    this.total = 0;
    this.round = 0;
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.body.addEventListener("dblclick", (event) => {
      const row = event.target.closest(".row");
      if (row?.dataset.key) this.opened(row.dataset.key, event.target.closest(".cell")?.dataset.name);
    });
  }

  /** Another selection: begins at its first row. */
  reset(description, columns, sort) {
    this.description = description;
    this.columns = columns;
    this.sort = sort;
    this.round += 1;
    this.pages.clear();
    this.loading.clear();
    this.chosen.clear();
    this.total = 0;
    this.cursor = 0;
    this.element.scrollTop = 0;
    fill(this.body);
    this.drawHead();
  }

  shown() { return this.description.properties.map((property, index) => ({ property, index })).filter(({ property }) => !this.columns.hidden.includes(property.name)); }
  width(property) { return this.columns.widths[property.name] ?? (property.collection ? 200 : usualWidth[property.type] ?? 160); }

  drawHead() {
    let left = 70;
    const cells = this.shown().map(({ property }) => {
      const width = this.width(property);
      left += width;
      const mark = this.sort?.name === property.name ? (this.sort.descending ? " ▼" : " ▲") : "";
      const cell = h("div", {
        class: canSort(property) ? "cell sorts" : "cell", role: "columnheader", "data-name": property.name, title: `${property.name}: ${typeText(property)}${property.primaryKey ? ", primary key" : property.indexed ? ", indexed" : ""}`,
        onclick: canSort(property) ? () => this.sorted(property.name) : undefined,
      }, h("span", { class: "name" }, property.primaryKey ? key() : "", property.name, mark), h("span", { class: "faint" }, typeText(property)));
      cell.style.width = width + "px";
      cell.append(h("span", { class: "handle", onpointerdown: (event) => this.resize(event, property), onclick: (event) => event.stopPropagation() }));
      return cell;
    });
    const first = h("div", { class: "cell key", role: "columnheader" }, h("span", { class: "name" }, "#"));
    fill(this.head, first, cells);
    this.fullWidth = left;
    this.head.style.width = this.body.style.width = left + "px";
  }

  resize(event, property) {
    event.preventDefault();
    event.stopPropagation();
    const [start, width] = [event.clientX, this.width(property)];
    const move = (moved) => {
      this.columns.widths[property.name] = Math.max(40, width + moved.clientX - start);
      this.drawHead();
      this.draw(true);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      this.changedColumns();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  // Places

  get viewHeight() { return Math.max(rowHeight, this.element.clientHeight - this.head.offsetHeight); }
  get visibleCount() { return Math.ceil(this.viewHeight / rowHeight) + 1; }
  get height() { return Math.min(this.total * rowHeight, heightLimit); }
  get isScaled() { return this.total * rowHeight > heightLimit; }

  /** The first row that is seen, in rows and a part of one. */
  get top() {
    if (!this.isScaled) return this.element.scrollTop / rowHeight;
    const range = this.height - this.viewHeight;
    return range <= 0 ? 0 : Math.min(1, this.element.scrollTop / range) * (this.total - this.viewHeight / rowHeight);
  }
  scrollTo(row) {
    if (!this.isScaled) { this.element.scrollTop = row * rowHeight; return; }
    this.element.scrollTop = row / (this.total - this.viewHeight / rowHeight) * (this.height - this.viewHeight);
  }

  // Rows

  async page(index) {
    const known = this.pages.get(index);
    if (known) return known;
    const running = this.loading.get(index);
    if (running) return running;
    const round = this.round;
    const work = this.load(index * pageLength, pageLength).then((answer) => {
      if (round !== this.round) return null;
      this.loading.delete(index);
      this.pages.set(index, answer.rows);
      // What is far away is asked for again when it is seen again.
      if (this.pages.size > 60) {
        const here = Math.floor(this.top / pageLength);
        for (const old of [...this.pages.keys()].sort((a, b) => Math.abs(b - here) - Math.abs(a - here)).slice(0, 20)) this.pages.delete(old);
      }
      this.setTotal(answer.total);
      this.draw(true);
      return answer.rows;
    }, (error) => {
      this.loading.delete(index);
      if (round === this.round && error.name !== "AbortError") throw error;
      return null;
    });
    this.loading.set(index, work);
    return work;
  }

  setTotal(total) {
    this.total = total;
    this.body.style.height = this.height + "px";
    this.element.setAttribute("aria-rowcount", total);
  }

  row(index) { return this.pages.get(Math.floor(index / pageLength))?.[index % pageLength]; }

  draw(all = false) {
    if (!this.description) return;
    const top = this.top;
    const first = Math.max(0, Math.floor(top) - 4);
    const last = Math.min(this.total, first + this.visibleCount + 8);
    // Neighbours are asked for before they are seen.
    for (let page = Math.floor(Math.max(0, first - 40) / pageLength); page <= Math.floor(Math.max(0, last + 40) / pageLength); page += 1) {
      if (page * pageLength < Math.max(1, this.total)) this.page(page).catch(this.failed ?? (() => {}));
    }
    const offset = this.isScaled ? this.element.scrollTop - top * rowHeight : 0;
    const old = new Map([...this.body.children].map((row) => [Number(row.dataset.index), row]));
    const rows = [];
    for (let index = first; index < last; index += 1) {
      let row = old.get(index);
      const values = this.row(index);
      if (all || !row || (values && row.dataset.key !== String(values[0]))) row = this.makeRow(index, values);
      row.style.transform = `translateY(${offset + index * rowHeight}px)`;
      row.style.width = this.fullWidth + "px";
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }

  makeRow(index, values) {
    const row = h("div", { class: "row" + (values && this.chosen.has(values[0]) ? " chosen" : "") + (index === this.cursor ? " cursor" : "") + (values ? "" : " waiting"), role: "row", "data-index": index, "aria-rowindex": index + 1 });
    const number_ = h("div", { class: "cell key", role: "rowheader" }, number(index + 1));
    row.append(number_);
    if (values) row.dataset.key = values[0];
    for (const { property, index: column } of this.shown()) {
      const cell = h("div", { class: "cell", role: "gridcell", "data-name": property.name });
      cell.style.width = this.width(property) + "px";
      if (values) {
        const shown = show(values[column + 1], property, { class: this.description.name, key: values[0] });
        cell.className = "cell " + shown.class + (this.flashing?.has(`${values[0]}\u0000${property.name}`) ? " flash" : "");
        cell.append(...shown.nodes);
        if (shown.text.length > 24) cell.title = shown.text;
      } else {
        cell.append("…");
      }
      row.append(cell);
    }
    return row;
  }

  /** Something changed: asks anew for what is seen, and shows what is different. The position stays. */
  async refresh() {
    const before = new Map();
    for (const rows of this.pages.values()) for (const row of rows) before.set(row[0], row);
    const round = ++this.round;
    this.loading.clear();
    const first = Math.max(0, Math.floor(this.top) - 4);
    const start = Math.floor(first / pageLength);
    const end = Math.floor((first + this.visibleCount + 8) / pageLength);
    const fresh = new Map();
    let total = this.total;
    for (let page = start; page <= end; page += 1) {
      let answer;
      try { answer = await this.load(page * pageLength, pageLength); } catch (error) {
        if (round === this.round) throw error;
      }
      if (round !== this.round) return;
      total = answer.total;
      fresh.set(page, answer.rows);
    }
    this.flashing = new Set();
    for (const rows of fresh.values()) {
      for (const row of rows) {
        const old = before.get(row[0]);
        this.description.properties.forEach((property, index) => {
          if (old ? JSON.stringify(old[index + 1]) !== JSON.stringify(row[index + 1]) : before.size > 0) this.flashing.add(`${row[0]}\u0000${property.name}`);
        });
      }
    }
    this.pages = fresh;
    this.setTotal(total);
    this.draw(true);
    const flashing = this.flashing;
    setTimeout(() => {
      if (this.flashing !== flashing) return;
      this.flashing = undefined;
      for (const cell of this.body.querySelectorAll(".flash")) cell.classList.remove("flash");
    }, 1200);
  }

  // Choosing

  clicked(event) {
    const link = event.target.closest("a[data-key]");
    if (link) {
      event.preventDefault();
      this.opened(link.dataset.key, undefined, link.dataset.class);
      return;
    }
    const row = event.target.closest(".row");
    if (!row?.dataset.key) return;
    const index = Number(row.dataset.index);
    const key = this.row(index)?.[0];
    if (key === undefined) return;
    if (event.shiftKey) {
      for (let i = Math.min(index, this.cursor); i <= Math.max(index, this.cursor); i += 1) { const known = this.row(i); if (known) this.chosen.add(known[0]); }
    } else if (event.ctrlKey || event.metaKey) {
      if (!this.chosen.delete(key)) this.chosen.add(key);
    } else {
      this.chosen = new Set([key]);
    }
    this.cursor = index;
    this.draw(true);
    this.selected([...this.chosen]);
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) this.opened(String(key));
  }

  pressed(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.visibleCount - 2, PageUp: 2 - this.visibleCount, Home: -this.total, End: this.total };
    if (event.key in steps) {
      event.preventDefault();
      this.cursor = Math.max(0, Math.min(this.total - 1, this.cursor + steps[event.key]));
      const top = this.top;
      if (this.cursor < top) this.scrollTo(this.cursor);
      else if (this.cursor > top + this.viewHeight / rowHeight - 1) this.scrollTo(this.cursor - this.viewHeight / rowHeight + 1);
      const key = this.row(this.cursor)?.[0];
      if (key !== undefined) { this.chosen = new Set([key]); this.selected([key]); }
      this.draw(true);
    } else if (event.key === "Enter") {
      const key = this.row(this.cursor)?.[0];
      if (key !== undefined) this.opened(String(key));
    }
  }
}
