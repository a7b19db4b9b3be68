import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { shellLine } from '@parley/host/terminal';
import type { SavedSession } from '../records/saved-session.ts';

export interface Scope {
  /** Where the person stands. */
  readonly cwd: string;
  /** Only sessions of this agent. */
  readonly agent?: string | undefined;
  /** Also those of which we have no record, as in the store of a server. Default: false. */
  readonly hasUnrecorded?: boolean;
  /** Whether one of that name could be begun instead. Default: false. */
  readonly mayBegin?: boolean;
}

/** The session that a person means: by name in this folder or above, by id, by the beginning of an id, or by name anywhere. */
export function findSession(sessions: readonly SavedSession[], word: string, scope: Scope): SavedSession {
  const { cwd, agent, mayBegin = false } = scope;
  const ofAgent = agent === undefined ? sessions : sessions.filter((session) => session.agent === agent);
  const here = foldersUp(cwd)
    .flatMap((folder) => ofAgent.filter((session) => session.name === word && session.cwd === folder))
    .at(0);
  const byId = sessions.find(({ id, agentSessionId }) => id === word || agentSessionId === word);
  const found =
    here ??
    byId ??
    only(sessions.filter((session) => isBeginning(word, session))) ??
    only(ofAgent.filter(({ name }) => name === word));
  if (found) return found;
  const known = sessions.flatMap(({ id, name }) => (name === undefined ? [id] : [name, id]));
  throw new CliError('no_session', `There is no session "${word}".${didYouMean(word, known)}`, {
    next: ['parley sessions list --all', ...(mayBegin ? [shellLine`parley sessions new -s ${word}`] : [])],
  });
}

/** The session to go on with when none is named: the last one that was used here, with this agent. */
export function latestSession(
  sessions: readonly SavedSession[],
  { cwd, agent, hasUnrecorded = false }: Scope,
): SavedSession | undefined {
  const folders = foldersUp(cwd);
  return sessions.find(
    (session) =>
      (session.isRecorded || hasUnrecorded) &&
      !session.isClosed &&
      folders.includes(session.cwd) &&
      (agent === undefined || session.agent === agent),
  );
}

/** A folder and those above it, up to the root of its repository. */
function foldersUp(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

/** Fewer characters than this are too easily the beginning of something else. */
const MIN_PREFIX_CHARACTERS = 4;

function isBeginning(word: string, { id, agentSessionId = '' }: SavedSession): boolean {
  return word.length >= MIN_PREFIX_CHARACTERS && (id.startsWith(word) || agentSessionId.startsWith(word));
}

function only(sessions: readonly SavedSession[]): SavedSession | undefined {
  return sessions.length === 1 ? sessions[0] : undefined;
}
