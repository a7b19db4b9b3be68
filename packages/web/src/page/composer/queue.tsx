import type { Turn } from '@parley/client';
import { wordCount } from '@parley/session/view';
import type { JSX } from 'preact';
import { visibleLine } from '../text/visible-text.ts';

export interface QueueProps {
  readonly queue: readonly Turn[];
  /** Takes one out, to be written anew. */
  readonly onEdit: (turn: Turn) => void;
  readonly onRemove: (turn: Turn) => void;
}

/** Prompts that wait until the agent is free. */
export function Queue({ queue, onEdit, onRemove }: QueueProps): JSX.Element {
  return (
    <ol class="composer-queue" aria-label="Waiting prompts">
      {queue.map((turn, index) => (
        <li key={index}>
          <span class="composer-queued">
            {turn.state === 'steering' && <span class="composer-steering">For this turn: </span>}
            {describe(turn)}
          </span>
          <button type="button" class="text-button" onClick={() => onEdit(turn)}>
            Edit
          </button>
          <button type="button" class="text-button" onClick={() => onRemove(turn)}>
            Remove
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The words of a prompt, and how much goes along with them. */
function describe({ prompt }: Turn): string {
  const words = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
  const attached = prompt.filter(({ type }) => type !== 'text' && type !== 'resource_link').length;
  const parts = [visibleLine(words.replace(/\s+/g, ' ')), attached > 0 ? `+ ${wordCount(attached, 'attachment')}` : ''];
  return parts.filter((part) => part !== '').join(' ');
}
