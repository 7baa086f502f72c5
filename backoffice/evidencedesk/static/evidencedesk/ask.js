// A client of GET /ask/stream by the browser's own EventSource. It would connect again after any end of a stream, and so
// ask again: every end closes it.

import { announce, copyOf, Exchange, questionPage } from "../backoffice/asking.js";

const STREAM_PATH = new URL("stream", document.baseURI);

const VERDICTS = {
  unconfirmed: "Unconfirmed: this answer has not been checked against the documents yet.",
  unsupported: "Our documents do not back this answer. Please do not rely on it; ask the back office.",
  abstained: "None of our documents answers this question.",
  backed: "Checked: backed by what is cited below.",
  failed: "Sorry, the answer could not be completed, and what you see is not confirmed. Please ask again.",
  stopped: "You stopped this answer before it was checked. What you see is not confirmed.",
  unreachable: "The evidence desk cannot answer at the moment. Please wait a minute and ask again.",
};

/** One question and its answer on the page. */
class CheckedExchange extends Exchange {
  constructor(question) {
    super(question);
    this.answer.scrollIntoView({ block: "end" });
  }

  add(text) {
    this.text.append(text);
    this.say("unconfirmed");
  }

  judge({ ok, citations }) {
    if (ok) this.cite(citations);
    this.say(ok ? (citations.length ? "backed" : "abstained") : "unsupported");
  }

  /** Each citation becomes a card; its id in the text becomes the card's number. */
  cite(citations) {
    const numbers = new Map(citations.map(({ id }, place) => [id, place + 1]));
    const parts = this.text.textContent.split(/\s*\[([^[\]]+)\]/);
    this.text.replaceChildren(...parts.map((part, place) => (place % 2 ? marker(part, numbers) : part)));
    this.answer.querySelector(".citations").append(...citations.map(card));
  }

  say(state) {
    this.answer.dataset.state = state;
    this.answer.querySelector(".verdict").textContent = VERDICTS[state];
    this.answer.scrollIntoView({ block: "nearest" });
  }

  end(state) {
    if (state) this.say(state);
    this.answer.setAttribute("aria-busy", "false");
    const verdict = this.answer.querySelector(".verdict").textContent;
    announce(`${this.text.textContent} ${verdict}`);
  }
}

function marker(ids, numbers) {
  const sup = document.createElement("sup");
  sup.textContent = ids.split(/[\s,;]+/).map((id) => numbers.get(id)).filter(Boolean).join(", ");
  return sup;
}

function card({ id, title, passage }) {
  const item = copyOf("citation");
  item.querySelector(".title").textContent = title;
  item.querySelector(".id").textContent = id;
  item.querySelector(".passage").textContent = passage;
  return item;
}

questionPage((question, ended) => {
  const exchange = new CheckedExchange(question);
  const source = new EventSource(`${STREAM_PATH}?${new URLSearchParams({ q: question })}`);
  let opened = false;
  const end = (state) => {
    source.close();
    exchange.end(state);
    ended(state === "failed" || state === "unreachable");
  };
  source.addEventListener("open", () => (opened = true));
  source.addEventListener("chunk", ({ data }) => exchange.add(JSON.parse(data).text));
  source.addEventListener("citations", ({ data }) => exchange.judge(JSON.parse(data)));
  source.addEventListener("done", () => end());
  // The server's own event of this name and the browser's word for a lost connection: neither is asked again.
  source.addEventListener("error", () => end(opened ? "failed" : "unreachable"));
  return () => end("stopped");
});
