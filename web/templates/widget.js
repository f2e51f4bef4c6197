(() => {
  const script = document.currentScript, base = new URL(script.src).origin, d = document;
  const sheet = new CSSStyleSheet(), host = d.createElement("div"), root = host.attachShadow({ mode: "open" });
  sheet.replaceSync(`:host{all:initial}button{font:600 15px/1 system-ui,sans-serif;cursor:pointer;border:0;color:{{ on_fill }};background:{{ fill }}}
.b{position:fixed;z-index:2147483000;bottom:20px;inset-inline-end:20px;width:58px;height:58px;border-radius:50%;box-shadow:0 6px 24px #0005;display:grid;place-items:center}
button:focus-visible{outline:3px solid {{ fill }};outline-offset:3px}
.p{position:fixed;z-index:2147483001;bottom:90px;inset-inline-end:20px;width:min(420px,calc(100vw - 40px));height:min(680px,calc(100dvh - 110px));display:flex;flex-direction:column;border-radius:18px;overflow:hidden;box-shadow:0 16px 60px #0006;background:#fff}
.t{display:flex;justify-content:space-between;align-items:center;background:{{ fill }};color:{{ on_fill }};font:600 15px/1 system-ui,sans-serif;padding-inline-start:16px}
.x{width:44px;height:44px;font-size:22px}
iframe{flex:1;border:0;width:100%}[hidden]{display:none!important}
@media(max-width:480px){.p{inset:0;width:100%;height:100%;border-radius:0}}`);
  root.adoptedStyleSheets = [sheet];
  root.innerHTML = `<button class="b" aria-expanded="false"><svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" aria-hidden="true"><path d="M4 5h16v11H9l-5 4z"/></svg></button><div class="p" role="dialog" hidden><div class="t"><span></span><button class="x">×</button></div></div>`;
  const [bubble, close] = root.querySelectorAll("button"), panel = root.querySelector(".p");
  const name = {{ name|tojson }};
  bubble.setAttribute("aria-label", {{ t('widget.open')|tojson }});
  close.setAttribute("aria-label", {{ t('nav.close')|tojson }});
  panel.setAttribute("aria-label", name);
  root.querySelector("span").textContent = name;
  let frame;
  const show = (open) => {
    if (open && !frame) {
      frame = d.createElement("iframe");
      frame.title = name;
      frame.src = base + {{ frame|tojson }} + "?viewing=" + encodeURIComponent(script.dataset.product || "");
      panel.append(frame);
    }
    panel.hidden = !open;
    bubble.setAttribute("aria-expanded", open);
    (open ? frame : bubble).focus();
  };
  bubble.onclick = () => show(panel.hidden);
  close.onclick = () => show(false);
  root.addEventListener("keydown", (event) => event.key === "Escape" && show(false));
  addEventListener("message", (event) => event.origin === base && event.data === "close-chat" && show(false));
  const place = () => d.body.append(host);
  d.body ? place() : d.addEventListener("DOMContentLoaded", place);
})();
