// A client of POST /weather/chat/stream, as any other could be written: send a question, read server-sent events until
// `done` or `error`, and take a stream that ends without either for cut off.

import { announce, Exchange, questionPage } from "../backoffice/asking.js";

const STREAM_URL = new URL("chat/stream", document.baseURI);
const SILENCE_LIMIT = 60_000; // milliseconds; the server sends a comment every 15 seconds, and may be set to 30 at most
const END_MARGIN = 60; // pixels that still count as the end of the page

const SENTENCES = {
  lost: "The connection was lost before the answer was complete. Check your network and ask again.",
  stopped: "You stopped this answer before it was complete.",
  failed: "Sorry, the answer could not be completed. Please ask again in a moment.",
  unreachable: "The weather chat cannot be reached. Check your network and ask again.",
  invalid: "This question cannot be read. Please write it in 1 to 2000 characters.",
  unavailable: "The weather chat is not available at the moment. Please try again later.",
  length: "The answer was cut off here because it grew too long.",
  content_filter: "The answer was cut off here by a content filter.",
  empty: "There was no answer to this question. Please ask it in other words.",
};

class Trouble extends Error {} // its message is a sentence for the customer

/** The events of a stream: `{kind, data}` each. Lines end with LF, CRLF or CR; comments and unknown fields are passed over. */
async function* eventsOf(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  for (;;) {
    const { value = "", done } = await reader.read();
    heard();
    const text = pending + value;
    const held = !done && text.endsWith("\r") ? "\r" : ""; // the other half of this line's end may be on its way
    const blocks = text.slice(0, text.length - held.length).replace(/\r\n?/g, "\n").split("\n\n");
    pending = blocks.pop() + held;
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
    if (done) return;
  }
}

function eventOf(block) {
  let kind = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (field === "event") kind = value;
    else if (field === "data") data.push(value);
  }
  return data.length ? { kind, data: JSON.parse(data.join("\n")) } : null;
}

async function opened(message, signal) {
  const response = await fetch(STREAM_URL, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ message }),
    signal,
  });
  if (!response.ok) throw new Trouble(sentenceFor(response));
  return response.body;
}

function sentenceFor(response) {
  const { status } = response;
  if (status === 429) {
    const seconds = Number(response.headers.get("Retry-After")) || 60;
    return `You have asked many questions. Please wait ${seconds} ${seconds === 1 ? "second" : "seconds"} and ask again.`;
  }
  if (status === 400 || status === 413 || status === 422) return SENTENCES.invalid;
  return status === 503 ? SENTENCES.unavailable : SENTENCES.failed;
}

/** One question and its answer on the page. */
class StreamedExchange extends Exchange {
  constructor(question) {
    super(question);
    this.what = this.answer.querySelector(".what");
    this.notice = this.answer.querySelector(".notice");
    this.doing("Thinking …");
    scrollToEnd();
  }

  doing(what) {
    this.what.textContent = what;
    announce(what);
  }

  take({ kind, data }) {
    if (kind === "chunk") {
      this.text.append(data.text);
      this.what.textContent = "";
    } else if (kind === "tool") {
      this.text.textContent = ""; // what came before the lookup is no answer
      this.doing("Looking up the weather …");
    }
  }

  end(notice) {
    this.answer.setAttribute("aria-busy", "false");
    this.notice.textContent = notice ?? "";
    this.notice.hidden = !notice;
    announce([this.text.textContent, notice].filter(Boolean).join(" "));
  }
}

function scrollToEnd() {
  const page = document.scrollingElement;
  page.scrollTop = page.scrollHeight;
}

/** Changes the page and keeps its end in view, unless the customer has scrolled up to read. */
function following(change) {
  const page = document.scrollingElement;
  const atEnd = page.scrollTop + page.clientHeight > page.scrollHeight - END_MARGIN;
  change();
  if (atEnd) scrollToEnd();
}

/** Reads one answer into the page; gives the sentence that belongs below it, if one does. Throws where it failed. */
async function answered(exchange, message, signal, heard) {
  const body = await opened(message, signal);
  for await (const event of eventsOf(body, heard)) {
    if (event.kind === "error") throw new Trouble(SENTENCES.failed);
    if (event.kind === "done") {
      return exchange.text.textContent.trim() ? SENTENCES[event.data.stop_reason] : SENTENCES.empty;
    }
    following(() => exchange.take(event));
  }
  throw new Trouble(SENTENCES.lost);
}

/** Why a request ended early: `stopped` by the customer, `lost` to the network, or silent for too long. */
class Patience {
  constructor() {
    this.controller = new AbortController();
    this.begun = false;
    this.offline = () => this.giveUp("lost");
    window.addEventListener("offline", this.offline);
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.giveUp("lost"), SILENCE_LIMIT);
  }

  heard = () => {
    this.begun = true;
    this.wait();
  };

  giveUp(reason) {
    this.reason ??= reason;
    this.controller.abort();
  }

  over() {
    clearTimeout(this.timer);
    window.removeEventListener("offline", this.offline);
  }

  sentenceFor(error) {
    if (error instanceof Trouble) return error.message;
    return SENTENCES[this.reason ?? (this.begun ? "lost" : "unreachable")];
  }
}

/** Gives whether the answer failed; one that the customer stopped did not. */
async function follow(exchange, message, patience) {
  let notice;
  let failed = false;
  try {
    notice = await answered(exchange, message, patience.controller.signal, patience.heard);
  } catch (error) {
    notice = patience.sentenceFor(error);
    failed = patience.reason !== "stopped";
  }
  patience.over();
  following(() => exchange.end(notice));
  return failed;
}

questionPage((message, ended) => {
  const patience = new Patience();
  follow(new StreamedExchange(message), message, patience).then(ended);
  return () => patience.giveUp("stopped");
});
