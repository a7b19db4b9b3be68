import { CliError } from '@parley/host/command-line';
import { readProgress } from '@parley/session/log';
import type { CliContext } from '../../context.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { readWorker } from '../records/worker.ts';
import { askOwner } from './ask-owner.ts';

/** How long the process that works in the session may take to end the turn: twice what it waits for its agent at most. */
const GIVE_UP_AFTER_MS = 12_000;

/** Asks whoever works in a session to end its turn, through the session's log, and waits until it has ended. */
export async function cancelSession(flags: SessionFlags, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const { records, session } = chosen;
  const place = records.logOf(session);
  const record = await place?.log.get(place.id);
  const turn =
    place && record?.isHeld
      ? (await readProgress({ log: place.log, sessionId: place.id, head: record.head })).turn
      : undefined;
  if (!place || !turn) return void context.stdout.write('nothing to cancel\n');
  const { turnId } = turn;
  const ended = await askOwner(
    place,
    { type: 'cancel', turnId, by: 'parley cancel' },
    { isDone: (entry) => entry.type === 'turn_ended' && entry.turnId === turnId, timeoutMs: GIVE_UP_AFTER_MS },
  );
  const now = await place.log.get(place.id);
  if (!ended && now?.isHeld) {
    const { name = 'the other process', pid } = readWorker(now) ?? {};
    throw new CliError('timeout', `The turn does not end; it runs in ${name}.`, {
      next: pid === undefined ? [] : [`kill -9 ${pid}   (its agent ends with it)`],
    });
  }
  context.stdout.write(`cancelled ${session.id}\n`);
}
