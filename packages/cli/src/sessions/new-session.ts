import { usageError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { CliContext } from '../context.ts';
import { type RunSettings, readRunSettings } from '../run/settings/run-settings.ts';
import { withSession } from '../run/with-session.ts';
import { chooseSession, type SessionFlags } from './choice/choose-session.ts';
import { claimOpening } from './records/claim-opening.ts';
import { isOwn, type SavedSession } from './records/saved-session.ts';
import type { SessionRecords } from './records/session-records.ts';
import { createSaved, factsOf, hostingFor, keepFacts } from './turn/prompt-in-session.ts';

export interface NewSessionFlags extends SessionFlags {
  readonly name?: string;
  /** The agent's own id of a session to take over. */
  readonly resumeSession?: string;
}

/** Opens a session in its agent and writes it down; the agent ends again. */
export async function newSession(flags: NewSessionFlags, context: CliContext): Promise<void> {
  const { session: word, ...others } = flags;
  const name = flags.name ?? word;
  await using chosen = await chooseSession(others, context);
  const { records } = chosen;
  const settings = await readRunSettings(others, context);
  const isTaken =
    name !== undefined &&
    (await records.list()).some(
      (each) => each.name === name && each.agent === settings.agent.name && each.cwd === settings.session.cwd,
    );
  const { session, isNew } = isTaken ? TAKEN : await createSession(records, settings, name);
  if (!session || !isNew) {
    throw usageError(
      `There is a session "${name}" here already.`,
      shellLine`parley prompt -s ${name ?? ''} "..."`,
      shellLine`parley sessions delete ${name ?? ''}`,
    );
  }
  const { resumeSession } = flags;
  await openOnce(session, records, { settings, context, resumeSession });
  print(session, flags, context);
}

const TAKEN = { session: undefined, isNew: false } as const;

async function createSession(
  records: SessionRecords,
  settings: RunSettings,
  name: string | undefined,
): Promise<{ readonly session: SavedSession; readonly isNew: boolean }> {
  if (name === undefined) return { session: await createSaved(records, settings, name), isNew: true };
  return records.createNamed(factsOf(settings, name));
}

/** The same, unless there is one of that name; whoever does this at the same time gets the same session. */
export async function ensureSession(flags: NewSessionFlags, context: CliContext): Promise<void> {
  const { session: word, ...others } = flags;
  const name = flags.name ?? word;
  await using chosen = await chooseSession(others, context);
  const { records, cwd } = chosen;
  const settings = await readRunSettings(others, context);
  const agent = settings.agent.name;
  const isWanted = (each: SavedSession): boolean =>
    each.name === name && each.cwd === cwd && each.agent === agent && !each.isClosed;
  for (;;) {
    const found = name === undefined ? chosen.session : (await records.list()).find(isWanted);
    const session = found ?? (await records.createNamed(factsOf(settings, name))).session;
    const isOpened = session.logId !== undefined || session.agentSessionId !== undefined || !session.isRecorded;
    const opened = isOpened ? session : await openOnce(session, records, { settings, context });
    if (opened) return print(opened, flags, context);
  }
}

interface OpenParts {
  readonly settings: RunSettings;
  readonly context: CliContext;
  /** The agent's own id of a session to take over. */
  readonly resumeSession?: string | undefined;
}

/** Opens a session in its agent, unless another process does; undefined when that one could not, and the session is gone. */
async function openOnce(
  saved: SavedSession,
  records: SessionRecords,
  { settings, context, resumeSession: agentSessionId }: OpenParts,
): Promise<SavedSession | undefined> {
  await using claim = await claimOpening(records, saved);
  const { session: found } = claim;
  if (!found || found.logId !== undefined) return found;
  try {
    const stored = await records.withLog({ ...found, ...(agentSessionId !== undefined && { agentSessionId }) });
    return await withSession(
      {
        settings,
        hosting: hostingFor(stored, records),
        stored,
        work: async (session) => {
          const kept = await keepFacts(records, stored, session);
          return await records.update(kept, { title: session.transcript.title ?? null });
        },
      },
      context,
    );
  } catch (error) {
    // Only what was made here: our own agent keeps a session that was to be taken over.
    await records.remove(isOwn(found) ? found : ((await records.get(found.id)) ?? found));
    throw error;
  }
}

function print({ id, name }: SavedSession, { format }: NewSessionFlags, { stdout }: CliContext): void {
  stdout.write(format === 'json' ? `${JSON.stringify({ schema: 1, session: id, name })}\n` : `${id}\n`);
}
