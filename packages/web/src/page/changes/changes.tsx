import type { Entry, Transcript } from '@parley/client';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { late } from '../parts/late.tsx';
import type { OpenSession } from '../sessions/open-session.ts';
import { useTranscript } from '../thread/use-transcript.ts';

const SessionChanges = late<{ readonly open: OpenSession }>(
  async () => (await import('./session-changes.tsx')).SessionChanges,
);
const GitChanges = late<{ readonly open: OpenSession }>(async () => (await import('./git-changes.tsx')).GitChanges);

/** What is different now: by what the agent told it changed, and by what git finds in the folder. */
export function Changes({ open }: { readonly open: OpenSession }): JSX.Element {
  const [source, setSource] = useState<'session' | 'git'>('session');
  return (
    <section class="changes" aria-label="Changes">
      <header class="changes-head">
        <h2>Changes</h2>
        <fieldset class="changes-sources" aria-label="Where the changes come from">
          <button
            type="button"
            class="text-button"
            aria-pressed={source === 'session'}
            onClick={() => setSource('session')}
          >
            Session
          </button>
          <button type="button" class="text-button" aria-pressed={source === 'git'} onClick={() => setSource('git')}>
            Git
          </button>
        </fieldset>
      </header>
      {source === 'session' ? <ToldChanges open={open} /> : <GitChanges open={open} />}
    </section>
  );
}

const PARTS: readonly (keyof Transcript)[] = ['turns', 'state'];

/** The changes that tool calls tell of; what compares texts is loaded with the first of them. */
function ToldChanges({ open }: { readonly open: OpenSession }): JSX.Element {
  const transcript = useTranscript(open.session, PARTS);
  const hasChanges = useMemo(() => tellsChanges(transcript.entries), [transcript]);
  if (hasChanges) return <SessionChanges open={open} />;
  return <p class="changes-note">The agent has changed no file yet, as far as it tells.</p>;
}

function tellsChanges(entries: Iterable<Entry>): boolean {
  for (const entry of entries)
    if (entry.type === 'tool_call' && entry.content.some(({ type }) => type === 'diff' || type === 'changes'))
      return true;
  return false;
}
