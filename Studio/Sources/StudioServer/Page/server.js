// What the program on the other side is asked and tells.

export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.error ?? `The program answered ${status}.`);
    this.status = status;
    this.answer = answer;
  }
}

async function read(response) {
  let answer;
  try { answer = await response.json(); } catch { answer = { error: await response.text().catch(() => "") || `The program answered ${response.status}.` }; }
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** As `fetch`, in words if nobody answers. */
const ask = (address, options) => fetch(address, options).catch((error) => {
  throw error.name === "AbortError" ? error : new Error("realm-studio does not answer; it has probably ended.");
});

/** Spaces as `%20`: a plus sign is one. */
const address = (path, parameters = {}) => {
  const query = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return query ? `${path}?${query}` : path;
};

/** Long questions, as of a query with many values, are sent behind the head of the request. */
const addressLimit = 4000;

export const get = async (path, parameters, signal) => {
  const whole = address("/api/" + path, parameters);
  if (whole.length <= addressLimit) return read(await ask(whole, { signal }));
  const [bare, query] = whole.split("?", 2);
  return read(await ask(bare, { method: "POST", headers: { "X-Realm-Studio": "1", "Content-Type": "application/x-www-form-urlencoded" }, body: query, signal }));
};

export const post = async (path, body = {}, parameters = {}) => read(await ask(address("/api/" + path, parameters), {
  method: "POST", headers: { "X-Realm-Studio": "1", "Content-Type": "application/json" }, body: body instanceof Blob ? body : JSON.stringify(body),
}));

export const link = (path, parameters) => address("/api/" + path, parameters);

/** Calls `heard` with each event, and `state` with whether the program is there. */
export function listen(heard, state) {
  if (window.SharedWorker) {
    new SharedWorker("/events.js").port.onmessage = ({ data }) => data.event ? heard(data.event) : state(data.isThere);
    return;
  }
  const source = new EventSource("/api/events");
  source.onopen = () => state(true);
  source.onerror = () => state(false);
  source.onmessage = (message) => heard(JSON.parse(message.data));
}
