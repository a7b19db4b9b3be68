import type { CompactionEntry, NoticeEntry, UnknownEntry } from '@parley/client';
import { type TurnEnding, wordCount, wordTokens, wordTurnEnd } from '@parley/session/view';
import type { JSX } from 'preact';
import { Markdown } from '../text/markdown/late-markdown.tsx';
import { visibleLine, visibleText } from '../text/visible-text.ts';

/** Something the person should know. */
export function Notice({ entry }: { readonly entry: NoticeEntry }): JSX.Element {
  const severity = entry.severity === 'error' || entry.severity === 'warning' ? entry.severity : 'info';
  return (
    <div class={`remark remark-${severity}`} role="note">
      <strong>{visibleLine(entry.title)}</strong>
      {entry.description !== undefined && <p>{visibleText(entry.description)}</p>}
    </div>
  );
}

/** The agent made its context shorter. */
export function Compaction({ entry }: { readonly entry: CompactionEntry }): JSX.Element {
  const { status, text, error } = entry;
  const words =
    status === 'completed'
      ? 'The agent made its context shorter'
      : status === 'failed'
        ? 'The agent could not make its context shorter'
        : 'The agent makes its context shorter';
  return (
    <div class="remark remark-compaction" role="note">
      <strong>{words}</strong>
      {error !== undefined && <p>{visibleText(error)}</p>}
      {text.trim() !== '' && (
        <details>
          <summary>Summary that it goes on with</summary>
          <Markdown text={text} />
        </details>
      )}
    </div>
  );
}

/** An update of an unknown kind; the inspector shows its body. */
export function UnknownUpdate({ entry }: { readonly entry: UnknownEntry }): JSX.Element {
  return (
    <div class="remark remark-info" role="note">
      Unknown update "{visibleLine(entry.variant)}"
    </div>
  );
}

/** How a turn ended, and what it took. */
export function TurnEnd({ turn }: { readonly turn: TurnEnding }): JSX.Element | null {
  const end = wordTurnEnd(turn);
  const { usage } = turn;
  const tokens = usage && `${wordTokens(usage.inputTokens)} tokens in, ${wordTokens(usage.outputTokens)} out`;
  if (!end && tokens === undefined) return null;
  return (
    <p class={end?.isBad ? 'turn-end turn-end-bad' : 'turn-end'}>
      {end && visibleText(end.text)}
      {tokens !== undefined && (
        <span class="turn-tokens" title={usage && `${wordCount(usage.totalTokens, 'token')} in all`}>
          {tokens}
        </span>
      )}
    </p>
  );
}
