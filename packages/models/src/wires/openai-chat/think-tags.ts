import type { ModelEvent } from '../../model/model.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Sorts streamed text into thoughts and answer. */
export interface ThinkTagSplitter {
  push(text: string): readonly ModelEvent[];
  end(): readonly ModelEvent[];
}

/**
 * Local servers often leave a model's thoughts in the text, between `<think>` and `</think>` at its very start.
 * Tags anywhere else are ordinary text. `gap` is the blank space between the thoughts and the answer.
 */
export function createThinkTagSplitter(): ThinkTagSplitter {
  let state: 'start' | 'thought' | 'gap' | 'text' = 'start';
  let held = '';

  const readStart = (): readonly ModelEvent[] => {
    const begin = held.trimStart();
    if (begin === '' || OPEN.startsWith(begin)) return [];
    if (!begin.startsWith(OPEN)) return release();
    held = begin.slice(OPEN.length);
    state = 'thought';
    return readThought();
  };

  const readThought = (): readonly ModelEvent[] => {
    const close = held.indexOf(CLOSE);
    const end = close < 0 ? held.length - partialTagLength(held) : close;
    const thought = held.slice(0, end);
    held = held.slice(close < 0 ? end : close + CLOSE.length);
    if (close >= 0) state = 'gap';
    return [...asThought(thought), ...(close < 0 ? [] : readGap())];
  };

  const readGap = (): readonly ModelEvent[] => {
    held = held.trimStart();
    return held === '' ? [] : release();
  };

  const release = (): readonly ModelEvent[] => {
    const text = held;
    held = '';
    state = 'text';
    return text === '' ? [] : [{ type: 'text', text }];
  };

  const readers = { start: readStart, thought: readThought, gap: readGap, text: release };
  return {
    push(text) {
      held += text;
      return readers[state]();
    },
    end: () => (state === 'thought' ? asThought(held) : release()),
  };
}

function asThought(text: string): readonly ModelEvent[] {
  return text === '' ? [] : [{ type: 'thought', text }];
}

/** How much of the end could be the beginning of the closing tag. */
function partialTagLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
