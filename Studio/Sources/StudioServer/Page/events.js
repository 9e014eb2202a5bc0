// One connection for all pages of a browser, which keeps no more than six to a server: what the program tells is passed on to each page.

const pages = [];
let source;

const tell = (message) => { for (const page of pages) page.postMessage(message); };

function connect() {
  source = new EventSource("/api/events");
  source.onopen = () => tell({ isThere: true });
  source.onerror = () => tell({ isThere: false });
  source.onmessage = (message) => tell({ event: JSON.parse(message.data) });
}

addEventListener("connect", ({ ports: [page] }) => {
  pages.push(page);
  // It is closed where another program with other cookies has the port now.
  if (!source || source.readyState === EventSource.CLOSED) connect();
  if (source.readyState === EventSource.OPEN) page.postMessage({ isThere: true });
});
