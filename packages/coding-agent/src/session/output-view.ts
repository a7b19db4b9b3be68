import type { ToolCallHandle } from '@parley/agent';

/** How much of a running command's output is shown, and how often it is refreshed: each refresh sends all of it. */
const MAX_SHOWN_CHARACTERS = 4000;
const REFRESH_MS = 200;

/** Output of a running tool as the person sees it: its end, a few times a second, however fast it comes. */
export class OutputView implements Disposable {
  readonly #call: ToolCallHandle;
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(call: ToolCallHandle) {
    this.#call = call;
  }

  append(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_SHOWN_CHARACTERS);
    this.#timer ??= setTimeout(() => this.#refresh(), REFRESH_MS);
  }

  #refresh(): void {
    this.#timer = undefined;
    if (!this.#call.isFinal) this.#call.update({ content: [{ type: 'text', text: this.#text }] });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
