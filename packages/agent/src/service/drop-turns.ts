import { RpcError } from '@parley/jsonrpc';
import { META, readEntry } from '@parley/session';
import { readKept } from '@parley/session/log';
import type { SessionLog } from '@parley/store';

/**
 * The last event of a session that a fork keeps, where the client leaves out its last turns: the one before the prompt of the first
 * that goes. Undefined where it keeps all.
 */
export async function lastEventKept(
  log: SessionLog,
  sessionId: string,
  meta: Readonly<Record<string, unknown>> | undefined,
): Promise<number | undefined> {
  const dropped = meta?.[META.dropTurns];
  if (dropped === undefined) return undefined;
  if (typeof dropped !== 'number' || !Number.isSafeInteger(dropped) || dropped < 1)
    throw RpcError.invalidParams(`_meta["${META.dropTurns}"] is a number of turns, 1 or more.`);
  const starts: number[] = [];
  const prompted = new Map<string, number>();
  for await (const logged of readKept(log, sessionId, {})) {
    const entry = readEntry(logged);
    if (entry?.type === 'prompt') prompted.set(entry.promptId, logged.seq);
    else if (entry?.type === 'turn_started') starts.push(prompted.get(entry.turnId) ?? logged.seq);
  }
  const first = starts.at(-dropped);
  if (first === undefined)
    throw RpcError.invalidParams(
      `The session has ${starts.length} turns that are kept; ${dropped} of them cannot be left out.`,
    );
  return first - 1;
}
