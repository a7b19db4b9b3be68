import { formatTable } from '@parley/terminal';
import type { CliContext } from '../../context.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';

/** Prints what a session is doing, from what is known on this machine; no agent is started. */
export async function showStatus(
  flags: SessionFlags & { readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  await using chosen = await requireSession(flags, context);
  const { id, name, agent, cwd, title, events, updatedAtMs, lastStopReason, agentSessionId, isClosed, worker } =
    chosen.session;
  // `dead`: a process worked on it and was killed.
  const state = !worker ? 'idle' : worker.isThere ? 'running' : 'dead';
  const status = {
    type: 'status_snapshot',
    state,
    session: id,
    ...(name !== undefined && { name }),
    agent,
    cwd,
    ...(title !== null && { title }),
    ...(agentSessionId !== undefined && { agentSessionId }),
    ...(worker?.pid !== undefined && { pid: worker.pid }),
    ...(lastStopReason !== undefined && { lastStopReason }),
    events,
    updatedAt: new Date(updatedAtMs).toISOString(),
    isClosed,
  };
  if (flags.json || flags.format === 'json')
    return void context.stdout.write(`${JSON.stringify({ schema: 1, ...status })}\n`);
  if (flags.format === 'quiet') return void context.stdout.write(`${state}\n`);
  const { type: _type, ...rows } = status;
  context.stdout.write(formatTable(Object.entries(rows).map(([key, value]) => [key, String(value)])));
}
