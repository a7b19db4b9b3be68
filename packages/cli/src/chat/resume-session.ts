import { resolve } from 'node:path';
import { CliError, EXIT_CODES } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import { requireSession, type SessionFlags } from '../sessions/choice/choose-session.ts';
import { pickSession } from '../sessions/choice/pick-session.ts';
import { readPastTurns } from '../sessions/records/read-past-turns.ts';
import { isOwn } from '../sessions/records/saved-session.ts';
import { SessionRecords } from '../sessions/records/session-records.ts';
import { talkInChat } from './talk-in-chat.ts';

export interface ResumeFlags extends SessionFlags {
  /** Lets the person choose among the sessions of this folder. */
  readonly mayPick?: boolean;
  /** What to say at once. */
  readonly words?: readonly string[];
}

/** Goes on with a saved session in the chat. */
export async function resumeSession(given: ResumeFlags, context: CliContext): Promise<number> {
  const { words = [], mayPick, ...others } = given;
  const flags = mayPick ? await pickedFlags(others, context) : others;
  if (flags === undefined) return EXIT_CODES.interrupted.code;
  await using chosen = await requireSession(flags, context);
  const { session } = chosen;
  const isTerminal = context.stdin.isTTY === true && context.stdout.isTTY === true;
  if (!isTerminal && !flags.plain) {
    throw new CliError('usage', 'The chat needs a terminal.', {
      next: [shellLine`parley prompt -s ${session.id} "..."`],
    });
  }
  const settings = await readRunSettings(chosen.flags, context, { keptMeta: session.meta });
  const { worker } = session;
  // Our own agent shows what another process does in its session, and lets both take part.
  if (worker?.isThere && !isOwn(session)) {
    throw new CliError('not_available', `Another process works in this session: ${worker.name}.`, {
      next: [shellLine`parley sessions watch ${session.id}`, shellLine`parley cancel -s ${session.id}`],
    });
  }
  const pastTurns = await readPastTurns(chosen.records.read(session));
  return talkInChat({ settings, flags: chosen.flags, words, pastTurns, resume: session }, context);
}

/** The flags with the session that was picked; undefined when none was. */
async function pickedFlags(flags: SessionFlags, context: CliContext): Promise<SessionFlags | undefined> {
  if (context.stdin.isTTY !== true || context.stderr.isTTY !== true) {
    throw new CliError('usage', 'Nobody is there to choose a session.', {
      next: ['parley sessions list', 'parley --resume <session>'],
    });
  }
  const cwd = resolve(context.cwd, flags.cwd ?? '.');
  const { places } = await loadConfig(context, cwd);
  await using records = new SessionRecords(places);
  const { agent } = flags;
  const sessions = (await records.list()).filter(
    (session) => session.cwd === cwd && !session.isClosed && (agent === undefined || session.agent === agent),
  );
  if (sessions.length === 0) {
    throw new CliError('no_session', `There is no saved session in ${cwd}.`, { next: ['parley sessions list --all'] });
  }
  const picked = await pickSession(sessions, context);
  return picked && { ...flags, session: picked.id };
}
