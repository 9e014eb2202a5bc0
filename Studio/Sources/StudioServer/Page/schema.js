// Classes as a picture, as source, and beside those of another file.
import { h, svg, fill, toast, questions } from "./dom.js";
import { get } from "./server.js";
import { typeText } from "./cells.js";

const [boxWidth, lineHeight, gap] = [220, 18, 60];

export class Schema {
  constructor({ file, place }) {
    Object.assign(this, { file, place });
    this.picture = h("div", { class: "graph" });
    this.texts = h("div", { class: "texts" });
    this.difference = h("div", { class: "difference" });
    const path = h("input", { placeholder: "/path/to/other.realm", "aria-label": "other file", "data-test": "other-file" });
    const ask = questions();
    const compare = async (event) => {
      event.preventDefault();
      const isWanted = ask();
      try {
        const answer = await get("difference", { path: path.value });
        if (!isWanted()) return;
        fill(this.difference, answer.differences.length === 0 ? h("p", { class: "good" }, "No difference.") : h("table", { class: "plain", "data-test": "difference" },
          h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", {}, "other file"), h("th", {}, "this file"))),
          h("tbody", {}, answer.differences.map((line) => h("tr", {}, h("td", {}, line.name), h("td", {}, line.other ?? "—"), h("td", {}, line.this ?? "—"))))));
      } catch (error) { if (isWanted()) fill(this.difference, h("p", { class: "bad" }, error.message)); }
    };
    this.element = h("div", { class: "schema" }, h("section", {}, h("h2", {}, "Classes and links"), this.picture),
      h("section", {}, h("h2", {}, "Difference to another file"), h("form", { class: "inline", onsubmit: compare }, path, h("button", { class: "primary" }, "Compare")), this.difference),
      h("section", {}, h("h2", {}, "As source"), this.texts));
  }

  async show() {
    fill(this.picture, this.draw());
    try {
      const source = await get("source");
      const json = JSON.stringify(source.json, null, 2);
      fill(this.texts, this.text("Swift", "Models.swift", source.swift), this.text("JSON Schema", "schema.json", json));
    } catch (error) { toast(error.message, "bad"); }
  }
  changed(event) { if (this.element.isConnected && (event.schema || event.everything)) this.show(); }

  text(title, name, text) {
    const copy = async () => { try { await navigator.clipboard.writeText(text); toast(`${title} is in the clipboard.`); } catch { toast("The clipboard is not to be had; select the text instead.", "bad"); } };
    return h("details", { open: title === "Swift" }, h("summary", {}, title), h("button", { onclick: copy }, "Copy"), h("pre", { class: "source", "data-test": `source-${name}` }, text));
  }

  /** Boxes in columns: who links to nobody stands on the right. */
  draw() {
    const classes = this.file().classes;
    const targets = new Map(classes.map((description) => [description.name, [...new Set(description.properties.filter((property) => property.target && property.target !== description.name).map((property) => property.target))]]));
    const depth = new Map();
    const measure = (name, path = []) => {
      if (depth.has(name)) return depth.get(name);
      if (path.includes(name)) return 0;
      const below = (targets.get(name) ?? []).map((target) => measure(target, [...path, name]) + 1);
      const value = Math.max(0, ...below);
      depth.set(name, value);
      return value;
    };
    classes.forEach((description) => measure(description.name));
    const deepest = Math.max(0, ...depth.values());
    const columns = Array.from({ length: deepest + 1 }, () => []);
    for (const description of classes) columns[deepest - depth.get(description.name)].push(description);
    const places = new Map();
    let height = 0;
    columns.forEach((column, index) => {
      let top = 10;
      for (const description of column) {
        const boxHeight = 30 + description.properties.length * lineHeight;
        places.set(description.name, { x: 10 + index * (boxWidth + gap), y: top, height: boxHeight });
        top += boxHeight + 24;
      }
      height = Math.max(height, top);
    });
    const width = 20 + columns.length * (boxWidth + gap);
    const edges = [];
    const boxes = classes.map((description) => {
      const place = places.get(description.name);
      const lines = description.properties.map((property, index) => {
        const y = place.y + 30 + index * lineHeight + 12;
        if (property.target && places.has(property.target)) edges.push(this.edge(place, y - 4, places.get(property.target), property));
        return svg("text", { x: place.x + 10, y, class: "property" + (property.primaryKey ? " key" : "") }, property.name, svg("title", {}, typeText(property)),
          svg("tspan", { class: "type", dx: 6 }, typeText(property).slice(0, 22)));
      });
      return svg("g", { class: "box " + description.kind, "data-class": description.name, onclick: () => this.place.go({ view: "objects", class: description.name, q: "", sort: "", desc: "", key: "", of: "" }) },
        svg("rect", { x: place.x, y: place.y, width: boxWidth, height: place.height, rx: 6 }), svg("text", { x: place.x + 10, y: place.y + 20, class: "name" }, description.name), lines);
    });
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "classes and the links between them", "data-test": "graph" },
      svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0,0 L8,4 L0,8 z", class: "arrow" }))), edges, boxes);
  }

  edge(from, y, to, property) {
    const goesRight = to.x > from.x;
    const [x1, x2] = goesRight ? [from.x + boxWidth, to.x] : [from.x, to.x + boxWidth];
    const target = to.y + 15;
    const bend = goesRight ? gap / 1.5 : -gap / 1.5;
    return svg("path", { d: `M${x1},${y} C${x1 + bend},${y} ${x2 - bend},${target} ${x2},${target}`, class: "edge" + (property.collection ? " many" : ""), "marker-end": "url(#arrow)" }, svg("title", {}, property.name));
  }
}
