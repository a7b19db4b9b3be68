import { type FoldLimits, foldText, wordHidden } from '@parley/session/view';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

interface FoldedProps {
  readonly text: string;
  readonly limits: FoldLimits;
  /** Draws as much of the text as is to be seen. */
  readonly children: (shown: string) => ComponentChildren;
}

/** The beginning of a long text, how much is hidden, and a button that shows it whole. */
export function Folded({ text, limits, children }: FoldedProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const { head, hidden } = foldText(text, limits);
  return (
    <>
      {children(isWhole ? text : head)}
      {hidden > 0 && (
        <button
          type="button"
          class="text-button question-more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `${wordHidden(hidden)}: show all`}
        </button>
      )}
    </>
  );
}
