import { resolve } from 'node:path';
import type { SessionPage } from '@parley/client';
import type { SessionInfo } from '@parley/protocol';
import { clipText, formatTable, shortLine } from '@parley/terminal';
import { loadConfig } from '../../config/load-config.ts';
import type { CliContext } from '../../context.ts';
import type { SharedFlags } from '../../flags/shared-flags.ts';
import { readRunSettings } from '../../run/settings/run-settings.ts';
import { withAgent } from '../../run/with-session.ts';
import { shortIds, wordAge, wordSession } from '../choice/word-session.ts';
import type { SavedSession } from '../records/saved-session.ts';
import { openRecords, type StoreFlags } from '../records/server-store.ts';

export interface ListFlags extends SharedFlags, Omit<StoreFlags, 'agent'> {
  readonly all?: boolean;
  readonly filterCwd?: string;
  readonly fromAgent?: boolean;
  /** Where to go on in the agent's list. */
  readonly cursor?: string;
  readonly json?: boolean;
}

/** Prints sessions, newest first: what we know of, or what an agent says it has. */
export async function listSessions(flags: ListFlags, context: CliContext): Promise<void> {
  if (flags.fromAgent || flags.cursor !== undefined) return listFromAgent(flags, context);
  const { places } = await loadConfig(context);
  const cwd = resolve(context.cwd, flags.filterCwd ?? flags.cwd ?? '.');
  await using records = openRecords(flags, places, context);
  const shown = (await records.list()).filter(
    (session) =>
      (flags.all || (session.cwd === cwd && !session.isClosed)) &&
      (flags.agent === undefined || session.agent === flags.agent),
  );
  const stateOf = ({ worker }: SavedSession): string => (worker?.isThere ? 'running' : 'idle');
  if (flags.json || flags.format === 'json') {
    const sessions = shown.map((session) => ({ ...session, state: stateOf(session) }));
    return void context.stdout.write(`${JSON.stringify({ schema: 1, sessions })}\n`);
  }
  if (flags.format === 'quiet') return void context.stdout.write(shown.map(({ id }) => `${id}\n`).join(''));
  if (shown.length === 0)
    return void context.stderr.write(`no sessions in ${cwd}; all of them: parley sessions list --all\n`);
  const { isTTY, columns } = context.stdout;
  const rows = shown.map((session) => ({ session, state: stateOf(session) }));
  const showsFolder = flags.all === true;
  context.stdout.write(
    isTTY && columns !== undefined
      ? formatTable([headings(showsFolder), ...rowsForPeople(rows, showsFolder)], { width: columns || 80 })
      : formatTable(rows.map(({ session, state }) => row(session, state, showsFolder))),
  );
}

interface Row {
  readonly session: SavedSession;
  readonly state: string;
}

function headings(showsFolder: boolean): readonly string[] {
  return ['id', 'used', 'state', 'agent', 'title', ...(showsFolder ? ['folder'] : [])];
}

/** What fits into a line of the terminal, with ids that can be typed. Other programs read whole ids and times. */
function rowsForPeople(rows: readonly Row[], showsFolder: boolean): readonly (readonly string[])[] {
  const short = shortIds(rows.map(({ session }) => session));
  return rows.map(({ session, state }) => [
    short(session.id),
    wordAge(session.updatedAtMs),
    session.isClosed ? 'closed' : state,
    shortLine(session.agent, MAX_SHOWN_AGENT_CHARACTERS),
    ...(showsFolder
      ? [clipText(wordSession(session), MAX_SHOWN_TITLE_COLUMNS), shortEnd(session.cwd, MAX_SHOWN_FOLDER_CHARACTERS)]
      : [wordSession(session)]),
  ]);
}

/** The end of a path tells folders apart. */
function shortEnd(path: string, maxCharacters: number): string {
  return path.length <= maxCharacters ? path : `…${path.slice(1 - maxCharacters)}`;
}

const MAX_SHOWN_AGENT_CHARACTERS = 12;
/** Before a folder; where there is none, a title has the rest of the line. */
const MAX_SHOWN_TITLE_COLUMNS = 20;
const MAX_SHOWN_FOLDER_CHARACTERS = 20;

function row(
  { id, name, agent, title, cwd, updatedAtMs, isClosed }: SavedSession,
  state: string,
  showsFolder: boolean,
): readonly string[] {
  return [
    id,
    name ?? '-',
    shortLine(agent, MAX_AGENT_CHARACTERS),
    isClosed ? 'closed' : state,
    new Date(updatedAtMs).toISOString().slice(0, 16).replace('T', ' '),
    ...(showsFolder ? [cwd] : []),
    title ?? '',
  ];
}

/** An agent may be a whole command line. */
const MAX_AGENT_CHARACTERS = 32;

/** An agent may have any number, or a list without an end: after so many, the rest is asked for by cursor. */
const MAX_FROM_AGENT = 1000;

async function listFromAgent(flags: ListFlags, context: CliContext): Promise<void> {
  const settings = await readRunSettings(flags, context);
  const filter = flags.all
    ? {}
    : { cwd: flags.filterCwd === undefined ? settings.session.cwd : resolve(context.cwd, flags.filterCwd) };
  const { sessions, nextCursor } = await withAgent({ settings }, context, async (connection): Promise<SessionPage> => {
    const list = connection.listSessions(filter);
    if (flags.cursor !== undefined) return list.page(flags.cursor);
    const all: SessionInfo[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_FROM_AGENT && all.length < MAX_FROM_AGENT; pages += 1) {
      const page = await list.page(cursor);
      all.push(...page.sessions);
      const isLast = page.nextCursor === undefined || page.nextCursor === cursor;
      cursor = isLast ? undefined : page.nextCursor;
      if (isLast) break;
    }
    return { sessions: all, ...(cursor !== undefined && { nextCursor: cursor }) };
  });
  if (flags.json || flags.format === 'json') {
    const page = { schema: 1, sessions, ...(nextCursor !== undefined && { nextCursor }) };
    return void context.stdout.write(`${JSON.stringify(page)}\n`);
  }
  context.stdout.write(
    formatTable(sessions.map(({ sessionId, updatedAt, title }) => [sessionId, updatedAt ?? '', title ?? ''])),
  );
  if (nextCursor !== undefined)
    context.stderr.write(
      `${sessions.length} sessions are shown, the agent has more: parley sessions list --cursor ${JSON.stringify(nextCursor)}\n`,
    );
}
