import type { AgentConnection, ClientSession } from '@parley/client';
import { watchInterruption } from '@parley/host/command-line';
import type { CliContext } from '../context.ts';
import { connectAgent } from '../hosting/connect-agent.ts';
import type { ConnectedAgent, Hosting } from '../hosting/hosting.ts';
import { createProgress } from '../output/progress.ts';
import { connectOptions, requireLogin } from './connect-options.ts';
import { openSession, type StoredSession } from './open-session.ts';
import type { RunSettings } from './settings/run-settings.ts';

export interface SessionWork<Result> {
  readonly settings: RunSettings;
  /** Where the agent is hosted, so that its sessions are kept. Default: nothing is kept here. */
  readonly hosting?: Hosting | undefined;
  /** Opened again instead of a new session. */
  readonly stored?: StoredSession;
  readonly work: (session: ClientSession, connection: AgentConnection) => Promise<Result>;
}

/** Starts the agent, opens a session, does something with it that is no prompt, and ends the agent again. */
export async function withSession<Result>(task: SessionWork<Result>, context: CliContext): Promise<Result> {
  const { settings, stored } = task;
  return withAgent(task, context, async (connection, say) => {
    const session = await openSession(connection, settings.session, { stored, say });
    return await task.work(session, connection);
  });
}

/** Starts the agent, does something, and ends it again, however it goes. */
export async function withAgent<Result>(
  { settings, hosting }: Pick<SessionWork<Result>, 'settings' | 'hosting'>,
  context: CliContext,
  work: (connection: AgentConnection, say: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress(context, { isSilent: settings.output.isQuietAboutProgress });
  using interruption = watchInterruption(context, { timeoutMs: settings.timeoutMs });
  const { signal } = interruption;
  let agent: ConnectedAgent | undefined;
  try {
    const { say, onPhase } = progress;
    const options = { ...connectOptions(settings, context, say), onPhase, signal };
    agent = await connectAgent({ source: settings.source, options, hosting, say });
    await using connection = agent.connection;
    signal.addEventListener('abort', () => void connection.close(), { once: true });
    await requireLogin(connection, settings, context);
    return await work(connection, progress.say);
  } catch (error) {
    throw signal.aborted ? signal.reason : (agent?.explain(error) ?? error);
  }
}
