// The app's side of the line to its host: JSON-RPC over messages between windows. Whatever comes from a project is put
// into the page as text, never as markup.
const host = (() => {
  const waiting = new Map();
  const listeners = {};
  let count = 0;
  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const ask = (method, params) => new Promise((resolve, reject) => {
    const id = ++count;
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });
  const shade = (context) => {
    if (context && context.theme) document.documentElement.style.colorScheme = context.theme;
  };
  addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== parent || !message || message.jsonrpc !== "2.0") return;
    if (message.method === undefined) {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (asked) message.error ? asked.reject(new Error(message.error.message)) : asked.resolve(message.result);
    } else if (message.method === "ui/notifications/host-context-changed") {
      shade(message.params);
    } else if (message.id !== undefined) {
      post({ id: message.id, result: {} });
    } else if (listeners[message.method]) {
      listeners[message.method](message.params);
    }
  });
  let told = "";
  new ResizeObserver(() => {
    const box = document.documentElement;
    const now = `${box.scrollWidth} ${box.scrollHeight}`;
    if (now === told) return;
    told = now;
    post({ method: "ui/notifications/size-changed", params: { width: box.scrollWidth, height: box.scrollHeight } });
  }).observe(document.body);
  return {
    capabilities: {},
    onResult(listener) { listeners["ui/notifications/tool-result"] = listener; },
    async start(name) {
      const appInfo = { name, version: "1" };
      const answer = await ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo, appCapabilities: {} });
      this.capabilities = (answer && answer.hostCapabilities) || {};
      shade(answer && answer.hostContext);
      post({ method: "ui/notifications/initialized", params: {} });
    },
    call: (name, args) => ask("tools/call", { name, arguments: args }),
    read: (uri) => ask("resources/read", { uri }),
  };
})();

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

// What a tool said, in whichever form the host passes it on.
function bodyOf(result) {
  let body = result.structuredContent;
  if (!body) {
    const text = (result.content || []).find((part) => part.type === "text");
    try { body = JSON.parse(text.text); } catch { body = {}; }
  }
  return { failed: Boolean(result.isError) || body.ok === false, error: body.error, ...(body.result || body) };
}
