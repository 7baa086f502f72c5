// What a page with one question field does, whoever answers: `questionPage(ask)` calls `ask(question)` for every question
// that is sent while no other is being answered. `ask` gives the way to stop its answer; when an answer has ended,
// for whatever reason, it calls the second argument it was given, with whether it failed: a question whose answer failed
// comes back into the field, where nothing else was written meanwhile.

/** A copy of the first element of a template of the page. */
export function copyOf(template) {
  return document.getElementById(template).content.cloneNode(true).firstElementChild;
}

/** One question on the page, and the place of its answer. */
export class Exchange {
  constructor(question) {
    const item = copyOf("exchange");
    item.querySelector(".question .text").textContent = question;
    this.answer = item.querySelector(".answer");
    this.text = this.answer.querySelector(".text");
    document.getElementById("log").append(item);
  }
}

/** For screen readers: the whole answer once, rather than every piece of it. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}

export function questionPage(ask) {
  const form = document.getElementById("ask");
  const field = document.getElementById("question");
  const send = document.getElementById("send");
  const stop = document.getElementById("stop");
  const problem = document.getElementById("problem");
  const most = Number(field.dataset.most);
  let stopAnswer = null;

  function show(busy) {
    const focused = form.contains(document.activeElement);
    send.hidden = busy;
    stop.hidden = !busy;
    if (focused) field.focus();
  }

  /** The server counts characters, as people do: an emoji is one, and not the two that `length` and `maxlength` see. */
  function lengthProblem() {
    const length = [...field.value.trim()].length;
    return length > most ? `A question has ${most} characters at most; this one has ${length}. Please shorten it.` : "";
  }

  function tellProblem() {
    const told = lengthProblem();
    problem.textContent = told;
    problem.hidden = !told;
    field.setAttribute("aria-invalid", String(Boolean(told)));
    return told;
  }

  function begin(question) {
    document.getElementById("welcome").hidden = true;
    show(true);
    stopAnswer = ask(question, (failed) => {
      stopAnswer = null;
      if (failed && !field.value) field.value = question;
      show(false);
    });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = field.value.trim();
    if (!question || stopAnswer) return;
    const told = tellProblem();
    if (told) {
      announce(told);
      return;
    }
    field.value = "";
    begin(question);
  });

  field.addEventListener("input", tellProblem);

  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });

  stop.addEventListener("click", () => stopAnswer?.());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") stopAnswer?.();
  });

  for (const example of document.querySelectorAll(".example")) {
    example.addEventListener("click", () => {
      field.focus();
      if (!stopAnswer) begin(example.textContent);
    });
  }
}
