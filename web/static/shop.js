// Makes the page quicker than its forms: streams a turn, swaps parts in place, opens the cart beside the page.
// Everything here works without it. HTML comes from the server's own templates only.
"use strict";
(() => {
  const SLOW_MS = 8000, SILENT_MS = 45000, POLL_MS = 1000, POLLS = 45, TOAST_MS = 8000, MAX_COMPARED = 4;
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const said = document.body.dataset, log = $("#log"), composer = $("#composer"), box = $("#message");
  let running = null; // {turn, abort} of the turn being answered
  document.documentElement.classList.add("js");

  const parse = (html) => [...new DOMParser().parseFromString(html, "text/html").body.children];
  const fromTemplate = (id) => $("#" + id).content.firstElementChild.cloneNode(true);
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(8))].map((n) => n.toString(16).padStart(2, "0")).join("");
  const toast = (text) => { const p = document.createElement("p"); p.textContent = text; fill($("#toast"), [p]); };

  function fill(region, nodes) { // a live region stays; only what it says changes
    region.replaceChildren(...nodes);
    if (region.id !== "toast") return;
    clearTimeout(fill.timer);
    fill.timer = setTimeout(() => { if (!region.matches(":hover,:focus-within")) region.replaceChildren(); }, TOAST_MS);
  }

  function put(element) {
    if (element.dataset.save) {
      for (const old of $$(`[data-save="${CSS.escape(element.dataset.save)}"]`)) replace(old, element.cloneNode(true));
      return;
    }
    const old = element.id && document.getElementById(element.id);
    if (!old) return element.id === "alert" && toast(element.textContent);
    if (old.matches("[role=status],[role=alert]")) return fill(old, [...element.childNodes]);
    replace(old, element);
    if (element.matches(".feedback:has(form)")) element.scrollIntoView({ block: "nearest" });
  }

  function replace(old, element) { // the keyboard stays where it was, or goes to what has just been said
    const active = old.contains(document.activeElement) ? document.activeElement : null;
    const same = active && (active.name ? `[name="${active.name}"][value="${CSS.escape(active.value)}"]` : active.href && `a[href="${CSS.escape(active.getAttribute("href"))}"]`);
    const shown = $$(".card h3 a", old).length, wasMore = active?.hasAttribute("data-more");
    old.replaceWith(element);
    if (!active) return;
    const next = active === old ? element : wasMore ? $$(".card h3 a", element)[shown] : same && (element.matches(same) ? element : $(same, element));
    (next || $(".lead", element) || $("h1,h2,h3 a,button", element) || box)?.focus({ preventScroll: true });
  }

  async function part(url, options = {}) {
    try {
      const response = await fetch(url, { ...options, headers: { "X-Part": "1" } });
      if (!response.headers.get("Content-Type")?.startsWith("text/html")) throw new TypeError(response.status);
      parse(await response.text()).forEach(put);
      return response.ok;
    } catch {
      toast(navigator.onLine ? said.failed : said.offline);
      return false;
    }
  }

  // ---- one turn

  async function read(response, on) { // an event may come in pieces, or several at once
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (rest + value).split("\n\n");
      rest = events.pop();
      for (const event of events) {
        const field = Object.fromEntries(event.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
        if (field.event) on(field.event, JSON.parse(field.data));
      }
    }
  }

  function busy(state) {
    running = state;
    if (!composer) return;
    const lost = document.activeElement?.matches(".send") && matchMedia("(pointer:fine)").matches; // on a phone the keys would come up
    $(".send:not(.halt)", composer).hidden = !!state;
    $(".halt", composer).hidden = !state;
    if (lost) box.focus({ preventScroll: true });
    log.setAttribute("aria-busy", String(!!state));
  }

  const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - 80;

  function show(turn, change) { // follows only a reader who is at the end
    const follow = atEnd();
    change();
    if (follow) turn.scrollIntoView({ block: "nearest" });
  }

  function say(form, by) {
    if (running) return;
    const data = new FormData(form, by);
    const text = (data.get("say") || data.get("message") || "").trim();
    if (!text) return box?.focus();
    if (form === composer) {
      data.set("key", newKey());
      if (!data.get("say")) box.value = "";
    }
    $("#hello")?.remove();
    $(".chat")?.classList.remove("empty");
    fill($("#alert"), []);
    document.getElementById("t-" + data.get("replaces"))?.remove();
    for (const old of $$(".turn .revise", log)) { old.open = false; old.classList.add("past"); } // keeps its place: nothing jumps
    for (const old of $$(".replies", log)) old.remove();
    const turn = fromTemplate("pending");
    $(".said", turn).textContent = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, ""); // as the server will show it
    log.append(turn);
    turn.scrollIntoView({ block: "start" });
    if (form !== composer || by?.name === "say") box?.focus({ preventScroll: true });
    send(turn, form.getAttribute("action"), data);
  }

  async function send(turn, url, data) {
    const abort = new AbortController(), state = { turn, abort, finished: false };
    let silence, slow = setTimeout(() => { const p = $(".progress span:last-child", state.turn); if (p) p.textContent = said.slow; }, SLOW_MS);
    const alive = () => { clearTimeout(silence); silence = setTimeout(() => abort.abort(), SILENT_MS); };
    busy(state);
    alive();
    try {
      const response = await fetch(url, { method: "POST", body: data, headers: { Accept: "text/event-stream" }, signal: abort.signal });
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return await refused(state, response, data);
      await read(response, (name, event) => { alive(); if (!state.stopped) happen(state, name, event); });
      if (!state.finished) throw new TypeError("cut off");
    } catch {
      if (!state.stopped && !state.finished) await recover(state, url, data);
    } finally {
      clearTimeout(silence);
      clearTimeout(slow);
      if (running === state) busy(null);
    }
  }

  function happen(state, name, event) {
    const nodes = event.html ? parse(event.html) : [];
    const answer = () => $(".answer", state.turn);
    switch (name) {
      case "turn_started":
        state.turn.replaceWith(nodes[0]);
        state.turn = nodes[0];
        for (const input of $$("[name=conversation]")) input.value = event.conversation;
        if ($(".chat")) history.replaceState(null, "", event.url);
        break;
      case "action_chosen":
        $(".progress", answer())?.replaceWith(nodes[0]);
        break;
      case "notice":
        if (event.code === "more_wishes") answer().append(nodes[0]);
        else if (nodes[0]) answer().prepend(nodes[0]);
        break;
      case "turn_finished":
        state.finished = true;
        if (state.turn.dataset.status === "running") state.turn.dataset.status = "answered";
        parse(event.nav || "").forEach(put);
        if (running === state) busy(null); // the stream closes a little later; the next message need not wait for it
        break;
      default:
        if (event.html) show(state.turn, () => answer().replaceChildren(...parseAll(event.html)));
    }
  }

  const parseAll = (html) => [...new DOMParser().parseFromString(html, "text/html").body.childNodes];

  async function refused(state, response, data) { // not begun: the words go back to where they were typed
    const html = response.headers.get("Content-Type")?.startsWith("text/html") ? parse(await response.text()) : [];
    if (!html.some((node) => node.id === "alert")) return failed(state, response.url, data);
    state.turn.remove();
    if (box && !box.value) box.value = data.get("say") || data.get("message");
    html.forEach(put);
  }

  async function recover(state, url, data) { // the server may have finished what the network lost
    if (state.turn.id && (await watch(state.turn.id))) return;
    failed(state, url, data);
  }

  function failed(state, url, data) {
    const note = fromTemplate("failure");
    $("p", note).textContent = navigator.onLine ? said.failed : said.offline;
    $("[data-resend]", note).onclick = () => { if (running) return; $(".answer", state.turn).replaceChildren(...$(".answer", fromTemplate("pending")).children); send(state.turn, url, data); box?.focus({ preventScroll: true }); };
    show(state.turn, () => $(".answer", state.turn).replaceChildren(note));
  }

  async function watch(id) { // true: the turn has its outcome on the page
    for (let n = 0; n < POLLS; n++) {
      const turn = document.getElementById(id);
      if (!turn || turn.dataset.status !== "running") return !!turn;
      try {
        const response = await fetch(turn.dataset.url);
        if (!response.ok) return false;
        const [element] = parse(await response.text());
        if (element.dataset.status !== "running") show(turn, () => replace(turn, element));
      } catch { if (!navigator.onLine) return false; }
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    return false;
  }

  function stop() {
    if (!running) return;
    const { turn, abort } = running;
    running.stopped = true;
    abort?.abort();
    if (turn.dataset.url) part(turn.dataset.url + "/stop", { method: "POST", body: new FormData($("#act")) });
    else turn.remove();
    busy(null);
    box?.focus({ preventScroll: true });
  }

  // ---- what a shopper does

  document.addEventListener("submit", (event) => {
    const form = event.target, by = event.submitter;
    if (log && (form === composer || form.hasAttribute("data-say"))) {
      event.preventDefault();
      say(form, by);
    } else if (by?.hasAttribute("data-part") || form.hasAttribute("data-part")) {
      event.preventDefault();
      if (by?.getAttribute("aria-busy") === "true") return;
      by?.setAttribute("aria-busy", "true");
      part(by?.getAttribute("formaction") || form.getAttribute("action"), { method: "POST", body: new FormData(form, by) }).finally(() => by?.removeAttribute("aria-busy"));
    }
  });

  document.addEventListener("click", async (event) => {
    if (event.target === $("#drawer")) return $("#drawer").close();
    if (event.target.closest("[data-stop]")) return event.detail > 1 || stop(); // the second half of a double click on “Send” stops nothing
    const link = event.target.closest("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.dataset.open) {
      const target = $(link.getAttribute("href").replaceAll(":", "\\:"));
      event.preventDefault();
      document.getElementById(link.dataset.open).open = true;
      (target.matches("input,select") ? target : $("input,select", target))?.focus();
    } else if ($("#drawer") && (link.id === "cart-link" || link.hasAttribute("data-drawer"))) {
      event.preventDefault();
      if (await part(link.href)) $("#drawer").showModal();
    } else if (link.hasAttribute("data-part")) {
      event.preventDefault();
      try {
        const page = new DOMParser().parseFromString(await (await fetch(link.href)).text(), "text/html");
        replace($("#product"), $("#product", page));
        history.replaceState(null, "", link.href);
      } catch { location.assign(link.href); }
    }
  });

  box?.addEventListener("keydown", (event) => { // keyCode 229: an input method still composes (Safari tells it so only)
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    composer.requestSubmit($(".send", composer));
  });

  if (box && !CSS.supports("field-sizing", "content")) {
    box.addEventListener("input", () => { box.style.height = "auto"; box.style.height = box.scrollHeight + "px"; });
  }

  if (document.body.classList.contains("framed")) {
    addEventListener("keydown", (event) => { if (event.key === "Escape" && !$("#drawer")?.open) parent.postMessage("close-chat", "*"); });
  }

  document.addEventListener("change", (event) => {
    if (!event.target.matches(".picked") || $$(".picked:checked").length <= MAX_COMPARED) return;
    event.target.checked = false;
    toast(said.full);
  });

  const noPicture = (img) => { const span = fromTemplate("nopic"); span.setAttribute(...(img.alt ? ["aria-label", img.alt] : ["aria-hidden", "true"])); if (img.alt) span.setAttribute("role", "img"); img.replaceWith(span); };
  document.addEventListener("error", (event) => { if (event.target.matches?.(".pic img")) noPicture(event.target); }, true);
  for (const img of $$(".pic img")) if (img.complete && !img.naturalWidth) noPicture(img);

  for (const time of $$("time")) time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time.dateTime));

  const offline = () => { $("#offline").hidden = navigator.onLine; };
  addEventListener("online", offline);
  addEventListener("offline", offline);
  offline();

  const left = $(".turn[data-status=running]");
  if (left) { const state = { turn: left }; busy(state); watch(left.id).finally(() => { if (running === state) busy(null); }); }
  else if (log?.lastElementChild && !location.hash) log.lastElementChild.scrollIntoView({ block: "nearest" });
})();
