import { shellLine } from '@parley/host/terminal';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { readRunSettings, sessionOptions } from '../run/run-settings.ts';
import { withSession } from '../run/with-session.ts';
import { chooseSession, type SessionFlags } from './choose-session.ts';
import { openSaved } from './open-saved.ts';
import { createSaved, keepFacts } from './prompt-in-session.ts';
import type { SavedSession } from './saved-session.ts';
import { eventsOfTranscript } from './transcript-of.ts';

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
  const { shelf } = chosen;
  const settings = await readRunSettings(others, context);
  const isTaken = (await shelf.list()).some(
    (each) => each.name === name && each.agent === settings.agent.name && each.cwd === settings.cwd,
  );
  if (name !== undefined && isTaken) {
    throw usageError(
      `There is a session "${name}" here already.`,
      shellLine`parley prompt -s ${name} "..."`,
      shellLine`parley sessions delete ${name}`,
    );
  }
  const created = await createSaved(shelf, settings, name);
  const saved = flags.resumeSession === undefined ? created : { ...created, agentSessionId: flags.resumeSession };
  try {
    await withSession(
      {
        settings,
        open: (connection) => openSaved(connection, saved, sessionOptions(settings)),
        work: async (session) => {
          const kept = await keepFacts(shelf, { ...saved, isRecorded: true }, session);
          const facts = await shelf.update(kept, {
            agentSessionId: session.id,
            title: session.transcript.title ?? null,
          });
          if (settings.agent.origin !== 'own') await shelf.append(facts, eventsOfTranscript(session.transcript));
        },
      },
      context,
    );
  } catch (error) {
    await shelf.remove(created);
    throw error;
  }
  print(created, flags, context);
}

/** The same, unless there is one of that name. */
export async function ensureSession(flags: NewSessionFlags, context: CliContext): Promise<void> {
  const name = flags.name ?? flags.session;
  const { session: _word, ...others } = flags;
  const agent = (await readRunSettings(others, context)).agent.name;
  const found = await (async (): Promise<SavedSession | undefined> => {
    await using chosen = await chooseSession(others, context);
    if (name === undefined) return chosen.session;
    return (await chosen.shelf.list()).find(
      (each) => each.name === name && each.cwd === chosen.cwd && each.agent === agent && !each.isClosed,
    );
  })();
  if (found) print(found, flags, context);
  else await newSession(flags, context);
}

function print({ id, name }: SavedSession, { format }: NewSessionFlags, { stdout }: CliContext): void {
  stdout.write(format === 'json' ? `${JSON.stringify({ schema: 1, session: id, name })}\n` : `${id}\n`);
}
