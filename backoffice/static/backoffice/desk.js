// What admin needs beside django-unfold's own scripts: its Alpine.js components under a policy without eval, the
// operator's time zone, and pages that watch a run. No script is ever inline.
"use strict";

(() => {
  // The CSP build of Alpine.js knows no globals and no arrow functions. django-unfold names its components as global
  // functions and keeps three expressions that such a build cannot read; they are put into its words before it starts.
  const SIDEBAR = "sidebarDesktopOpen";

  function shell() {
    return {
      activeTab: document.body.dataset.activeTab || "",
      sidebarMobileOpen: false,
      sidebarDesktopOpen: localStorage.getItem(SIDEBAR) !== "0",
      toggleSidebar() {
        this.sidebarDesktopOpen = !this.sidebarDesktopOpen;
        localStorage.setItem(SIDEBAR, this.sidebarDesktopOpen ? "1" : "0");
      },
    };
  }

  function rewriteExpressions() {
    const body = document.body;
    const tab = /activeTab: '([^']*)'/.exec(body.getAttribute("x-data") || "");
    body.dataset.activeTab = getCurrentTab() || (tab ? tab[1] : "");
    body.setAttribute("x-data", "shell");
    body.removeAttribute("x-init");
    for (const toggle of document.querySelectorAll('[x-on\\:click*="localStorage"]')) {
      toggle.setAttribute("x-on:click", "toggleSidebar()");
    }
    for (const form of document.querySelectorAll('[x-bind\\:action*="window.location"]')) {
      form.removeAttribute("x-bind:action");
    }
  }

  document.addEventListener("alpine:init", () => {
    rewriteExpressions();
    Alpine.data("shell", shell);
    for (const component of [theme, searchForm, searchDropdown, searchCommand]) {
      Alpine.data(component.name, component);
    }
  });

  // django-unfold's menus open by texts and signs that a mouse alone reaches: the keyboard reaches them as buttons.
  const PRESSED = "[x-on\\:click]:is(h2, span, a:not([href]), .cursor-pointer):not(button, input, a[href])";

  function makeReachable() {
    for (const pressed of document.querySelectorAll(PRESSED)) {
      pressed.setAttribute("tabindex", "0");
      pressed.setAttribute("role", "button");
    }
  }

  document.addEventListener("DOMContentLoaded", makeReachable);
  document.addEventListener("alpine:initialized", makeReachable);
  document.addEventListener("htmx:afterSettle", makeReachable);

  document.addEventListener("keydown", (event) => {
    if (["Enter", " "].includes(event.key) && event.target.matches(PRESSED)) {
      event.preventDefault(); // Space would scroll
      event.target.click();
    }
  });

  // Times are shown in the browser's zone; the server learns it from this cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `timezone=${zone}; path=/admin/; max-age=31536000; samesite=lax${secure}`;
  }

  // A part of a page with data-live="URL" is fetched anew every second until the server sends it without the attribute.
  // What changed is changed in place: a button that has the focus, or is being pressed, or a text that is selected,
  // stays the very same node. Parts that come and go carry a data-key, by which they are told from their neighbours.
  const PERIOD = 1000;
  const PATIENCE = 10000;

  function isSame(node, wanted) {
    return node.nodeName === wanted.nodeName && keyOf(node) === keyOf(wanted);
  }

  function keyOf(node) {
    return (node.dataset && node.dataset.key) || "";
  }

  function counterpart(place, wanted) {
    let node = place;
    while (node && !isSame(node, wanted)) {
      node = keyOf(wanted) ? node.nextSibling : null; // without a key nothing is told from its neighbours
    }
    return node;
  }

  function update(node, wanted) {
    if (node.nodeType !== Node.ELEMENT_NODE) {
      if (node.data !== wanted.data) {
        node.data = wanted.data;
      }
      return;
    }
    updateAttributes(node, wanted);
    updateChildren(node, wanted);
  }

  function updateAttributes(node, wanted) {
    for (const { name } of [...node.attributes]) {
      if (!wanted.hasAttribute(name)) {
        node.removeAttribute(name);
      }
    }
    for (const { name, value } of wanted.attributes) {
      if (node.getAttribute(name) !== value) {
        node.setAttribute(name, value);
      }
    }
  }

  function updateChildren(node, wanted) {
    let place = node.firstChild;
    const removeUpTo = (end) => {
      while (place !== end) {
        const gone = place;
        place = place.nextSibling;
        gone.remove();
      }
    };
    for (const child of [...wanted.childNodes]) {
      const kept = counterpart(place, child);
      if (kept) {
        removeUpTo(kept);
        place = kept.nextSibling;
        update(kept, child);
      } else {
        node.insertBefore(child, place);
      }
    }
    removeUpTo(null);
  }

  // A list names its rows by data-rows="selector". Each is told by the first link in it; the box to tick stays as it is.
  function rowsByLink(page, selector) {
    const rows = [...page.querySelectorAll(selector)].filter((row) => row.querySelector("a.desk-link"));
    return new Map(rows.map((row) => [row.querySelector("a.desk-link").getAttribute("href"), row]));
  }

  function updateRows(selector, parsed) {
    const fresh = rowsByLink(parsed, selector);
    for (const [link, row] of rowsByLink(document, selector)) {
      const wanted = fresh.get(link);
      for (const [place, cell] of wanted ? [...row.cells].entries() : []) {
        if (!cell.matches(".action-checkbox")) {
          update(cell, wanted.cells[place]);
        }
      }
    }
  }

  // Whether the server answered.
  async function refresh(part) {
    const request = { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) };
    const response = await fetch(part.dataset.live, request);
    if (response.redirected) {
      location.reload(); // signed out meanwhile
      return true;
    }
    if (!response.ok) {
      return false;
    }
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = parsed.getElementById(part.id);
    if (fresh && part.dataset.rows) {
      updateRows(part.dataset.rows, parsed);
    }
    if (fresh) {
      update(part, fresh);
    }
    return true;
  }

  async function watch(part) {
    const lost = document.getElementById(`${part.id}-lost`);
    while (part.dataset.live) {
      await new Promise((resolve) => setTimeout(resolve, PERIOD));
      if (!document.hidden) {
        const answered = await refresh(part).catch(() => false); // away for a moment, or for longer: ask again
        if (lost) {
          lost.hidden = answered;
        }
      }
    }
  }

  // A page that the Back button brings back must not keep its buttons disabled.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      document.querySelectorAll("form[data-once] button").forEach((button) => (button.disabled = false));
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const part of document.querySelectorAll("[data-live]")) {
      watch(part);
    }
    for (const form of document.querySelectorAll("form[data-once]")) {
      form.addEventListener("submit", () => {
        setTimeout(() => form.querySelectorAll("button").forEach((button) => (button.disabled = true)));
      });
    }
  });
})();
