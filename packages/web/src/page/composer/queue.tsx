import type { Turn } from '@parley/client';
import type { JSX } from 'preact';
import { visibleLine } from '../text/visible-text.ts';

interface QueueProps {
  readonly queue: readonly Turn[];
  /** Takes one out, to be written anew. */
  readonly onEdit: (turn: Turn) => void;
  readonly onRemove: (turn: Turn) => void;
}

/** Prompts that wait until the agent is free. */
export function Queue({ queue, onEdit, onRemove }: QueueProps): JSX.Element | null {
  if (queue.length === 0) return null;
  return (
    <ol class="composer-queue" aria-label="Waiting prompts">
      {queue.map((turn, index) => (
        <li key={index}>
          <span class="composer-queued">{visibleLine(textOfPrompt(turn).replace(/\s+/g, ' ')) || 'Attachment'}</span>
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

/** The words of a prompt. */
export function textOfPrompt({ prompt }: Pick<Turn, 'prompt'>): string {
  return prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
