import type { ToolCallHandle } from '@parley/agent';
import { tailOf } from '@parley/models/model';

/** How much of a running command's output is shown. */
const MAX_SHOWN_CHARACTERS = 4000;
/** Each refresh sends all that is shown and is kept in the log, so a long run is refreshed less and less often. */
const FIRST_REFRESH_MS = 100;
const LAST_REFRESH_MS = 2000;

/** Output of a running tool as the person sees it: its end, a few times a second, however fast it comes. */
export class OutputView implements Disposable {
  readonly #call: ToolCallHandle;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #refreshMs = FIRST_REFRESH_MS;

  constructor(call: ToolCallHandle) {
    this.#call = call;
  }

  append(text: string): void {
    this.#text = tailOf(this.#text + text, MAX_SHOWN_CHARACTERS);
    this.#timer ??= setTimeout(() => this.#refresh(), this.#refreshMs);
  }

  #refresh(): void {
    this.#timer = undefined;
    this.#refreshMs = Math.min(this.#refreshMs * 1.2, LAST_REFRESH_MS);
    if (!this.#call.isFinal) this.#call.update({ content: [{ type: 'text', text: this.#text }] });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
