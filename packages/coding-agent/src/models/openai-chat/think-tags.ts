import type { ModelEvent } from '../model.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Sorts streamed text into thoughts and answer. */
export interface ThinkTagSplitter {
  push(text: string): readonly ModelEvent[];
  end(): readonly ModelEvent[];
}

/**
 * Local servers often leave a model's thoughts in the text, between `<think>` and `</think>` at its very start.
 * Tags anywhere else are ordinary text.
 */
export function createThinkTagSplitter(): ThinkTagSplitter {
  let state: 'start' | 'thought' | 'text' = 'start';
  let held = '';

  const push = (text: string): readonly ModelEvent[] => {
    if (state === 'text') return text === '' ? [] : [{ type: 'text', text }];
    held += text;
    if (state === 'start') {
      const begin = held.trimStart();
      if (begin === '' || OPEN.startsWith(begin)) return [];
      if (!begin.startsWith(OPEN)) return release('text');
      held = begin.slice(OPEN.length);
      state = 'thought';
    }
    const close = held.indexOf(CLOSE);
    if (close >= 0) {
      const thought = held.slice(0, close);
      held = held.slice(close + CLOSE.length).trimStart();
      state = 'text';
      return [...asThought(thought), ...release('text')];
    }
    const safe = held.length - partialTagLength(held);
    const thought = held.slice(0, safe);
    held = held.slice(safe);
    return asThought(thought);
  };

  const release = (next: 'text'): readonly ModelEvent[] => {
    const text = held;
    held = '';
    state = next;
    return text === '' ? [] : [{ type: 'text', text }];
  };

  return {
    push,
    end: () => (state === 'thought' ? asThought(held) : release('text')),
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
