import type { JSX } from 'preact';

export interface DecliningProps {
  readonly onAnswer: (answer: { readonly action: 'decline' | 'cancel' }) => void;
}

/** The two ways not to give what a form or a page asks for. */
export function Declining({ onAnswer }: DecliningProps): JSX.Element {
  return (
    <>
      <button type="button" class="question-answer question-reject" onClick={() => onAnswer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" class="question-answer question-other" onClick={() => onAnswer({ action: 'cancel' })}>
        Cancel
      </button>
    </>
  );
}
