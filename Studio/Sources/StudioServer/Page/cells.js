// How values look.
import { h, bytes, number } from "./dom.js";
import { link } from "./server.js";

const isNumber = (type) => ["int", "float", "double", "decimal"].includes(type);

/** `12. Mar 2024, 13:01:02.5` would hide what counts: dates are shown as they are written, the zone apart. */
function date(text) {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(?:\.\d+)?)Z$/.exec(text);
  if (!match) return [text];
  return [match[1], h("span", { class: "faint" }, "\u2009", match[2], match[3] === ":00" ? "" : match[3], "\u2009UTC")];
}

/** A cell's contents, its classes, and what it says as plain text. */
export function show(cell, property, place = {}) {
  if (cell === null) return { class: "null", nodes: ["null"], text: "null" };
  const type = property.type;
  if (typeof cell === "boolean") return { class: "bool", nodes: [cell ? "true" : "false"], text: String(cell) };
  if (typeof cell === "string") {
    if (type === "date") return { class: "date", nodes: date(cell), text: cell };
    const id = type === "uuid" || type === "objectId";
    return { class: isNumber(type) ? "number" : id ? "id" : "", nodes: cell === "" ? [h("span", { class: "faint" }, "empty")] : [cell], text: cell };
  }
  if ("m" in cell) {
    const inner = show(cell.v, { ...property, type: cell.m }, place);
    return { ...inner, nodes: [h("span", { class: "tag" }, cell.m), ...inner.nodes] };
  }
  if ("l" in cell) {
    return { class: "link", text: cell.t, nodes: [h("a", { href: "#", "data-class": cell.c, "data-key": cell.l, title: `${cell.c} #${cell.l}` }, cell.t)] };
  }
  if ("e" in cell) {
    return { class: "embedded", text: cell.t, nodes: [h("a", { href: "#", "data-class": cell.c, "data-key": cell.e, title: cell.c }, `{${cell.t}}`)] };
  }
  if ("b" in cell) {
    const nodes = [h("span", { class: "tag" }, bytes(cell.b))];
    if (cell.i && place.key !== undefined) {
      nodes.push(h("img", { src: link("blob", { class: place.class, key: place.key, property: property.name, index: place.index }), alt: "", loading: "lazy" }));
    } else if (cell.b > 0) {
      nodes.push(h("span", { class: "hex" }, cell.h.replace(/(..)/g, "$1 ").trim() + (cell.b > 16 ? " …" : "")));
    }
    return { class: "data", nodes, text: `${cell.b} bytes` };
  }
  if ("n" in cell) {
    return { class: "collection", nodes: [h("span", { class: "tag" }, number(cell.n)), h("span", {}, cell.t)], text: `${cell.n}: ${cell.t}` };
  }
  return { class: "", nodes: [JSON.stringify(cell)], text: JSON.stringify(cell) };
}

/** Whether objects have an order by a property: collections and links have none. */
export const canSort = (property) => !property.collection && property.type !== "link";

/** Marks a primary key. */
export const key = () => h("span", { class: "tag", title: "primary key" }, "key");

/** `list of Dog?` */
export function typeText(property) {
  const base = property.target ?? property.type;
  const optional = property.optional && property.type !== "link" && property.type !== "mixed" ? "?" : "";
  return (property.collection ? `${property.collection} of ` : "") + base + optional;
}
