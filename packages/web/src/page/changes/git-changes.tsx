import { readGitPatch } from '@parley/session/diff';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ChangesReply } from '../../api/index.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { countChanges } from '../text/diff/diff-rows.ts';
import { visibleLine } from '../text/visible-text.ts';
import { useTranscript } from '../thread/use-transcript.ts';
import { ChangedFiles } from './changed-files.tsx';

const PARTS = ['turns'] as const;

/** What git finds changed in the folder, asked again when a turn has ended. */
export function GitChanges({ open }: { readonly open: OpenSession }): JSX.Element {
  const { turns } = useTranscript(open.session, PARTS);
  const [reply, setReply] = useState<ChangesReply>();
  const [problem, setProblem] = useState('');
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    open.api.changes(open.session.cwd, controller.signal).then(
      (next) => {
        setProblem('');
        setReply(next);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      },
    );
    return () => controller.abort();
  }, [open, turns, asked]);
  const files = useMemo(() => (reply?.files ?? []).map(toFile), [reply]);
  return (
    <>
      <p class="changes-note">
        {reply?.branch !== undefined && <>On {visibleLine(reply.branch)} </>}
        <button type="button" class="text-button" onClick={() => setAsked(asked + 1)}>
          Look again
        </button>
      </p>
      {problem !== '' && <p class="changes-problem">{problem}</p>}
      {reply?.isCapped && <p class="changes-note">There are more changes than are shown here.</p>}
      {reply && (
        <ChangedFiles
          files={files}
          empty={reply.isRepository ? 'Git finds nothing changed.' : 'This folder is in no git repository.'}
        />
      )}
    </>
  );
}

function toFile({ path, oldPath, status, patch, isBinary, added, removed }: ChangesReply['files'][number]) {
  const hunks = patch === undefined ? [] : readGitPatch(patch).flatMap((file) => file.hunks);
  const note = isBinary
    ? 'binary'
    : oldPath === undefined
      ? status === 'modified'
        ? undefined
        : status
      : `from ${oldPath}`;
  return {
    path: visibleLine(path),
    note,
    hunks,
    ...countChanges(hunks),
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
    patch: patch === undefined ? undefined : () => patch,
  };
}
