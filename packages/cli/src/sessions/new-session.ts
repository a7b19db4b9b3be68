import { setTimeout as sleep } from 'node:timers/promises';
import { shellLine } from '@parley/host/terminal';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { type RunSettings, readRunSettings } from '../run/settings/run-settings.ts';
import { withSession } from '../run/with-session.ts';
import { chooseSession, type SessionFlags } from './choice/choose-session.ts';
import { RecordOwner } from './records/record-owner.ts';
import type { SavedSession } from './records/saved-session.ts';
import type { SessionRecords } from './records/session-records.ts';
import { eventsOfTranscript } from './records/transcript-of.ts';
import { createSaved, factsOf, keepFacts } from './turn/prompt-in-session.ts';

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
  await openOnce({ ...session, ...(resumeSession !== undefined && { agentSessionId: resumeSession }) }, records, {
    settings,
    context,
  });
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
    const isOpened = session.agentSessionId !== undefined || !session.isRecorded;
    const opened = isOpened ? session : await openOnce(session, records, { settings, context });
    if (opened) return print(opened, flags, context);
  }
}

/** How often it is looked whether another process has opened a session. */
const POLL_MS = 100;

/** Opens a session in its agent, unless another process does; undefined when that one could not, and the session is gone. */
async function openOnce(
  saved: SavedSession,
  records: SessionRecords,
  { settings, context }: { readonly settings: RunSettings; readonly context: CliContext },
): Promise<SavedSession | undefined> {
  for (;;) {
    await using owner = await RecordOwner.tryOwn(records, saved).catch(() => undefined);
    const found = await records.get(saved.id);
    if (!found || found.agentSessionId !== undefined) return found;
    if (owner) return await openNow(saved, { records, owner }, { settings, context });
    await sleep(POLL_MS);
  }
}

async function openNow(
  saved: SavedSession,
  { records, owner }: { readonly records: SessionRecords; readonly owner: RecordOwner },
  { settings, context }: { readonly settings: RunSettings; readonly context: CliContext },
): Promise<SavedSession> {
  try {
    return await withSession(
      {
        settings,
        stored: saved,
        work: async (session) => {
          const kept = await keepFacts(records, { ...saved, isRecorded: true }, session);
          const facts = await records.update(kept, {
            agentSessionId: session.id,
            title: session.transcript.title ?? null,
          });
          if (settings.agent.origin !== 'own') await owner.append(eventsOfTranscript(session.transcript));
          return facts;
        },
      },
      context,
    );
  } catch (error) {
    // Only what we have made: a session that was to be taken over stays with its agent.
    const { agentSessionId: _theirs, ...record } = saved;
    await records.remove(record);
    throw error;
  }
}

function print({ id, name }: SavedSession, { format }: NewSessionFlags, { stdout }: CliContext): void {
  stdout.write(format === 'json' ? `${JSON.stringify({ schema: 1, session: id, name })}\n` : `${id}\n`);
}
