"use strict";
// Beside the terminal's own program: where its websocket is, and why a session is over, in words.

const ENDS = { 4000: "ended", 4001: "full", 4002: "idle", 4003: "leaving", 4004: "no_room", 4005: "no_start", 1009: "too_much" };

const terminal = document.getElementById("terminal");
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
terminal.dataset.sessionWebsocketUrl = `${scheme}//${location.host}${terminal.dataset.socket}`;
document.getElementById("again").href = location.pathname;

function over(name) {
  document.querySelector(".starting").hidden = true;
  for (const words of document.querySelectorAll("[data-end]")) words.hidden = words.dataset.end !== name;
  document.querySelector(".over").hidden = false;
  getSelection().removeAllRanges(); // what was marked in the terminal
  document.getElementById("again").focus();
}

// Keys go to the terminal without a click first.
const take = () => terminal.querySelector("textarea")?.focus();
addEventListener("focus", take);

// The terminal's program says nothing of how its websocket closed, and does not ask whether it is open.
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("open", take);
    this.addEventListener("close", (event) => over(ENDS[event.code] || "lost"));
  }
  send(data) {
    if (this.readyState === WebSocket.OPEN) super.send(data);
  }
};
