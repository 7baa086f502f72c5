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

  // Times are shown in the browser's zone; the server learns it from this cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `timezone=${zone}; path=/admin/; max-age=31536000; samesite=lax${secure}`;
  }

  // A part of a page with data-live="URL" is fetched anew every second until the server sends it without the attribute.
  const PERIOD = 1000;

  async function refresh(part) {
    const response = await fetch(part.dataset.live, { headers: { Accept: "text/html" } });
    if (response.redirected) {
      location.reload(); // signed out meanwhile
      return part;
    }
    if (!response.ok) {
      return part;
    }
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = parsed.getElementById(part.id);
    if (fresh && fresh.outerHTML !== part.outerHTML && !part.contains(selectedNode())) {
      part.replaceWith(fresh);
      return fresh;
    }
    return part;
  }

  function selectedNode() {
    const selection = document.getSelection();
    return selection && !selection.isCollapsed ? selection.anchorNode : null;
  }

  async function watch(id) {
    let part = document.getElementById(id);
    while (part && part.dataset.live) {
      await new Promise((resolve) => setTimeout(resolve, PERIOD));
      if (!document.hidden) {
        part = await refresh(part).catch(() => part); // the server is away for a moment: ask again
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
      watch(part.id);
    }
    for (const form of document.querySelectorAll("form[data-once]")) {
      form.addEventListener("submit", () => {
        setTimeout(() => form.querySelectorAll("button").forEach((button) => (button.disabled = true)));
      });
    }
  });
})();
