import type { Transcript } from '@parley/client';
import { gitPatch } from '@parley/session/diff';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { shortPath } from '../text/short-path.ts';
import { useTranscript } from '../thread/use-transcript.ts';
import { ChangedFiles } from './changed-files.tsx';
import { netChanges } from './net-changes.ts';

const PARTS: readonly (keyof Transcript)[] = ['turns', 'state'];

/** The net changes of the session's tool calls; reckoned when a turn begins, waits or ends. */
export function SessionChanges({ open }: { readonly open: OpenSession }): JSX.Element {
  const transcript = useTranscript(open.session, PARTS);
  const changes = useMemo(() => netChanges(transcript.entries), [transcript]);
  const files = changes.map(({ path, note, hunks, added, removed, whole }) => ({
    path: shortPath(path, open.session.cwd),
    note,
    hunks,
    added,
    removed,
    patch: whole && (() => gitPatch(whole) ?? ''),
  }));
  return <ChangedFiles files={files} empty="The agent has changed no file yet, as far as it tells." />;
}
