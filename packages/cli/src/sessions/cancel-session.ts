import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_CLIENT_LIMITS } from '@parley/client';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { findPlaces } from '../places.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { isRunning, type RunRecord, readRun, removeRun } from './run-records.ts';

/** How long the other process may take to stop before it is asked again, which ends its own wait, and before we give up. */
const INSIST_AFTER_MS = DEFAULT_CLIENT_LIMITS.cancelGraceMs + 2000;
const GIVE_UP_AFTER_MS = 2 * INSIST_AFTER_MS;
const POLL_MS = 50;

/** Asks the process that works on a session to stop, as Ctrl-C would, and waits until it has. */
export async function cancelSession(flags: SessionFlags, context: CliContext): Promise<void> {
  const places = findPlaces(context.env);
  await using chosen = await requireSession(flags, context);
  const { id } = chosen.session;
  const owner = await readRun(places, id);
  if (!owner || !(await isRunning(owner))) {
    if (owner) await removeRun(places, id);
    context.stdout.write('nothing to cancel\n');
    return;
  }
  process.kill(owner.pid, 'SIGINT');
  const startedAt = Date.now();
  let hasInsisted = false;
  while (await isSame(owner, await readRun(places, id))) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > GIVE_UP_AFTER_MS) {
      throw new CliError('timeout', `Process ${owner.pid} does not stop.`, {
        next: [`kill -9 ${owner.pid}   (its agent ends with it)`],
      });
    }
    if (waitedMs > INSIST_AFTER_MS && !hasInsisted) {
      hasInsisted = true;
      process.kill(owner.pid, 'SIGINT');
    }
    await sleep(POLL_MS);
  }
  context.stdout.write(`cancelled ${id}\n`);
}

async function isSame(owner: RunRecord, now: RunRecord | undefined): Promise<boolean> {
  return now?.pid === owner.pid && now.startedAt === owner.startedAt && (await isRunning(owner));
}
