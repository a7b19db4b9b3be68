import { type AgentConnection, applySettings, type ClientSession } from '@parley/client';
import type { CalledAgent } from './called-agent.ts';

export interface CalledSessionOptions {
  readonly name: string;
  readonly agent: CalledAgent;
  readonly roots: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  /** The session to go on with. */
  readonly wanted: string | undefined;
  /** Whether a call of the same conversation has made that session; others are nobody's business here. */
  readonly isKnown: (sessionId: string) => boolean;
}

export interface CalledSession {
  readonly session: ClientSession;
  /** What is not as it was asked for, in sentences for the model. */
  readonly notes: readonly string[];
}

/** The session that is wanted, if it is open or the agent can open it again, and else a new one; in the agent's mode, if it has that. */
export async function openCalledSession(
  connection: AgentConnection,
  options: CalledSessionOptions,
): Promise<CalledSession> {
  const { agent, wanted } = options;
  const open = wanted === undefined ? undefined : connection.sessions.get(wanted);
  if (open && options.isKnown(open.id)) return { session: open, notes: [] };
  const notes: string[] = [];
  const session =
    (await reopen(connection, options, notes)) ?? (await connection.newSession(setupOf(connection, options)));
  await applySettings(
    session,
    { mode: agent.mode, model: agent.model },
    { onProblem: (error) => notes.push(messageOf(error)) },
  );
  return { session, notes };
}

async function reopen(
  connection: AgentConnection,
  options: CalledSessionOptions,
  notes: string[],
): Promise<ClientSession | undefined> {
  const { name, wanted } = options;
  if (wanted === undefined) return undefined;
  const { resumeSession, loadSession } = connection.offers;
  const isNew = 'so this is a new one, which knows nothing of it.';
  if (!options.isKnown(wanted)) {
    notes.push(`No call to ${name} in this conversation had the session "${wanted}", ${isNew}`);
    return undefined;
  }
  if (!resumeSession && !loadSession) {
    notes.push(`${name} cannot open the session "${wanted}" again, ${isNew}`);
    return undefined;
  }
  try {
    const setup = setupOf(connection, options);
    return await (resumeSession ? connection.resumeSession(wanted, setup) : connection.loadSession(wanted, setup));
  } catch (error) {
    notes.push(`The session "${wanted}" could not be opened again (${messageOf(error)}), ${isNew}`);
    return undefined;
  }
}

function setupOf({ offers }: AgentConnection, { roots, meta }: CalledSessionOptions) {
  const [cwd = '/', ...additionalDirectories] = roots;
  return { cwd, meta, ...(offers.additionalDirectories && { additionalDirectories }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
