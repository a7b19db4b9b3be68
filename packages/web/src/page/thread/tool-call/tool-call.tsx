import type { TerminalRecord, ToolCallEntry } from '@parley/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OpenSession } from '../../sessions/open-session.ts';
import { DiffCounts } from '../../text/diff/diff.tsx';
import { visibleLine } from '../../text/visible-text.ts';
import { Icon, isIconName } from '../icon.tsx';
import { useNow } from '../use-now.ts';
import { ToolCallBody } from './tool-call-body.tsx';
import { hasDiffs, hasEnded, isShownAtFirst, readFacts } from './tool-call-facts.ts';

interface ToolCallProps {
  readonly entry: ToolCallEntry;
  readonly terminals: readonly TerminalRecord[];
  readonly open: OpenSession;
}

/** One use of a tool: a line that says what and how it went, and below it what came of it. */
export function ToolCall({ entry, terminals, open }: ToolCallProps): JSX.Element {
  const [chosen, setChosen] = useState<boolean>();
  const now = useNow(!hasEnded(entry));
  const { icon, status, isRunning, notes } = readFacts(entry, terminals, now);
  const isOpen = chosen ?? isShownAtFirst(entry);
  const kind = isIconName(entry.kind) ? entry.kind : 'other';
  const title = visibleLine(entry.title) || visibleLine(entry.name ?? 'Tool call');
  const isPart = entry.parentToolCallId !== undefined;
  return (
    <article
      class={`tool-call tool-call-${icon}${isPart ? ' tool-call-part' : ''}`}
      tabIndex={-1}
      aria-label={`Tool call: ${title}, ${status}`}
    >
      <div class="tool-call-head">
        <button type="button" class="tool-call-title" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
          <Icon name={icon} />
          <Icon name={kind} />
          <span class="visually-hidden">{visibleLine(entry.kind)} </span>
          <span class="tool-call-name">{title}</span>
          <span class="visually-hidden"> {status}</span>
        </button>
        {hasDiffs(entry.content) && <DiffCounts content={entry.content} />}
        {notes.map((note) => (
          <span key={note} class="tool-call-note">
            {visibleLine(note)}
          </span>
        ))}
        {isRunning && entry.canCancel && (
          <button
            type="button"
            class="text-button"
            onClick={() => void open.session.cancelToolCall(entry.toolCallId).catch(() => {})}
          >
            Stop
          </button>
        )}
      </div>
      {isOpen && <ToolCallBody entry={entry} terminals={terminals} open={open} />}
    </article>
  );
}
