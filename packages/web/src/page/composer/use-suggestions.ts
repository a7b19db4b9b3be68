import type { AvailableCommand } from '@parley/protocol';
import { useEffect, useState } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { visibleLine } from '../text/visible-text.ts';
import { type Completing, matchCommands } from './completion.ts';

/** One thing that can be chosen. */
export interface Suggestion {
  /** What is written when it is chosen. */
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

const MAX_SUGGESTIONS = 12;

/** What can be chosen for what is being written: commands of the agent, files of the folder. */
export function useSuggestions(
  open: OpenSession,
  completing: Completing | undefined,
  commands: readonly AvailableCommand[],
): readonly Suggestion[] {
  const [files, setFiles] = useState<readonly Suggestion[]>([]);
  const query = completing?.kind === 'file' ? completing.query : undefined;
  useEffect(() => {
    if (query === undefined) return setFiles([]);
    const controller = new AbortController();
    open.api.files(open.session.cwd, query, controller.signal).then(
      (reply) =>
        setFiles(reply.files.slice(0, MAX_SUGGESTIONS).map((path) => ({ value: path, label: visibleLine(path) }))),
      // Nobody waits for a list of files; without one the name is written by hand.
      () => {},
    );
    return () => controller.abort();
  }, [open, query]);
  if (completing?.kind === 'file') return files;
  if (completing?.kind !== 'command') return [];
  return matchCommands(commands, completing.query)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name, description, input }) => ({
      value: name,
      label: `/${visibleLine(name)}${input?.hint ? ` ${visibleLine(input.hint)}` : ''}`,
      description: visibleLine(description),
    }));
}
