import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { late } from '../text/late.tsx';

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
      {source === 'session' ? <SessionChanges open={open} /> : <GitChanges open={open} />}
    </section>
  );
}
