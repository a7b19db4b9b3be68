import type { ToolCallPart, ToolResult } from '@parley/models/model';

/** The same calls with the same results, so often in a row: the model is told. */
const TELL_AFTER = 3;
/** And so often: the turn ends. */
const STOP_AFTER = 10;

/** Notices a model that goes round in circles. */
export class RepeatedCalls {
  #last = '';
  #count = 0;

  /** What to do about the calls of one answer. */
  judge(calls: readonly ToolCallPart[], results: readonly ToolResult[]): 'go on' | 'tell' | 'stop' {
    const key = JSON.stringify([
      calls.map(({ name, input }) => [name, input]),
      results.map(({ content, isError }) => [content, isError]),
    ]);
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    if (this.#count >= STOP_AFTER) return 'stop';
    return this.#count % TELL_AFTER === 0 ? 'tell' : 'go on';
  }
}

export const REPEATED: string = `You have made the same calls with the same results ${TELL_AFTER} times in a row. Do something else, or tell the person what is in the way.`;

export const REPEATED_NOTICE: { readonly title: string; readonly description: string } = {
  title: 'The turn was ended: the model went round in circles',
  description: `It made the same calls with the same results ${STOP_AFTER} times in a row.`,
};
