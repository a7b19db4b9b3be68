import type { Meta, Session } from '@parley/agent';
import type { ClientSession, SessionOptions } from '@parley/client';
import { RpcError } from '@parley/jsonrpc';
import { errorOfKind, kindOfError } from '@parley/protocol';
import { type ClientOffers, META } from '@parley/session';
import type { AgentProcess, EventSink, ForeignSession } from './agent-process.ts';
import { foreignMeta } from './foreign-meta.ts';

export interface OpeningOptions {
  /** Why our session was opened: a new one has no session at the agent yet, and a fork has that of another. */
  readonly reason: 'new' | 'load' | 'resume' | 'fork';
  /** `_meta` of the request that opened it. */
  readonly meta?: Meta | undefined;
  /** The client sets modes and options itself when the session is open. Default: what was chosen before is chosen again. */
  readonly isSetByClient?: boolean;
  /** What the client offers that opened it. Default: what the client of the session does; one that opens it is not that yet. */
  readonly offers?: ClientOffers;
}

export interface OpenForeignParts<Sink extends EventSink> {
  readonly session: Session;
  readonly process: AgentProcess<Sink>;
  readonly sink: Sink;
  readonly unstable: boolean;
  /** A session that the agent cannot open again is refused. */
  readonly mustRemember: boolean;
  /** The log has no conversation yet; what the agent tells on loading is the conversation. */
  readonly isLogEmpty: boolean;
  /** The client is told the agent's own id of the session. */
  readonly tellsId: boolean;
  /** From now on the settings at the agent are those of ours, and what it tells of them holds. */
  readonly onSetUp: () => void;
}

export interface OpenedForeign<Sink extends EventSink> {
  readonly foreign: ForeignSession<Sink>;
  /** Whether the agent knows what was said before. */
  readonly remembers: boolean;
  /** Whether the agent was asked to tell the conversation again, and may not be done with it. */
  readonly isLoaded: boolean;
}

/**
 * Opens the session at the agent that carries out one of ours: the one that is still open there, the one that the agent can open
 * again, or a new one.
 */
export async function openForeign<Sink extends EventSink>(
  parts: OpenForeignParts<Sink>,
  opening: OpeningOptions,
): Promise<OpenedForeign<Sink>> {
  const { session, process, sink } = parts;
  const known = opening.reason === 'new' ? undefined : readHosted(session.state);
  const given = setupOf(session);
  const setup = JSON.stringify(given);
  const meta = foreignMeta(opening.meta);
  const options: SessionOptions = meta ? { ...given, meta } : given;
  const kept = known === undefined || opening.reason === 'fork' ? undefined : process.sessions.get(known);
  if (kept && kept.setup === setup && !kept.session.isClosed) {
    kept.follower.sink = sink;
    parts.onSetUp();
    return { foreign: kept, remembers: true, isLoaded: false };
  }
  if (kept) await leave(process, kept);
  const follower: ForeignSession<Sink>['follower'] = { sink };
  const follow: SessionOptions['follow'] = (event) => follower.sink?.pass(event);
  const again = known === undefined ? undefined : await reopen(parts, known, { ...options, follow }, opening);
  const opened = again ?? (await process.connection.newSession({ ...options, follow }));
  const foreign: ForeignSession<Sink> = { session: opened, setup, follower };
  process.sessions.set(opened.id, foreign);
  if (!opening.isSetByClient) await restoreChoices(session, opened);
  adoptSettings(session, opened, { isReopened: again !== undefined, tellsId: parts.tellsId });
  parts.onSetUp();
  const isLoaded = again !== undefined && opening.reason !== 'fork' && !process.connection.offers.resumeSession;
  return { foreign, remembers: again !== undefined, isLoaded };
}

/** The reason in the error for a session of an agent that cannot open any session again. */
export const CANNOT_REOPEN = 'cannot_reopen';

/** The name that a session of ours has at the agent. */
export function readHosted(state: Readonly<Record<string, unknown>>): string | undefined {
  const { sessionId } = (state.hosted ?? {}) as { readonly sessionId?: unknown };
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function setupOf(session: Session): SessionOptions {
  const [cwd = session.cwd, ...additionalDirectories] = session.roots;
  const { mcpServers, acpServers, systemPrompt } = session;
  return {
    cwd,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(mcpServers.length > 0 && { mcpServers }),
    ...(acpServers.length > 0 && { relayedServers: acpServers.map(({ name, serverId }) => ({ name, serverId })) }),
    ...(systemPrompt && { systemPrompt }),
  };
}

/** Undefined where the agent cannot, or has lost the session. */
async function reopen<Sink extends EventSink>(
  { process, unstable, mustRemember, isLogEmpty }: OpenForeignParts<Sink>,
  sessionId: string,
  options: SessionOptions,
  { reason }: OpeningOptions,
): Promise<ClientSession | undefined> {
  const { connection } = process;
  const { loadSession, resumeSession, forkSession } = connection.offers;
  try {
    if (reason === 'fork')
      return forkSession && unstable ? await connection.forkSession(sessionId, options) : undefined;
    // Resuming tells nothing again, and our log has it all.
    if (resumeSession && !(isLogEmpty && loadSession)) return await connection.resumeSession(sessionId, options);
    if (loadSession) return await connection.loadSession(sessionId, options);
  } catch (error) {
    // Only where the agent itself says no, and not since it wants a login first.
    if (mustRemember || !(error instanceof RpcError) || kindOfError(error) === 'auth_required') throw error;
    return undefined;
  }
  if (!mustRemember) return undefined;
  const message = 'The agent can neither resume nor load a session.';
  throw errorOfKind('session_not_found', { message, data: { sessionId, reason: CANNOT_REOPEN } });
}

/** The settings that the session has at the agent are those of ours. */
function adoptSettings(
  session: Session,
  foreign: ClientSession,
  { isReopened, tellsId }: { readonly isReopened: boolean; readonly tellsId: boolean },
): void {
  const { mode, options, commands } = foreign.transcript;
  // An agent that opens a session again need not tell its settings again.
  if (isReopened && !mode && options.length === 0) return;
  const meta = tellsId ? { ...foreign.meta, [META.agentSessionId]: foreign.id } : foreign.meta;
  session.setSettings({
    ...(mode && { modes: mode.availableModes, mode: mode.currentModeId }),
    ...(options.length > 0 && { options }),
    ...(commands.length > 0 && { commands }),
    ...(meta && { meta }),
    ...(foreign.extra && { extra: foreign.extra }),
  });
}

/** What was chosen here before is chosen there again. */
async function restoreChoices(session: Session, foreign: ClientSession): Promise<void> {
  const { mode } = foreign.transcript;
  const isOther = mode && session.mode !== undefined && session.mode !== mode.currentModeId;
  if (isOther && mode.availableModes.some(({ id }) => id === session.mode))
    await foreign.setMode(session.mode).catch(() => {});
  for (const { id, currentValue } of foreign.transcript.options) {
    const chosen = session.options[id];
    // A choice that is there no longer stays as the agent has it.
    if (chosen !== undefined && chosen !== currentValue) await foreign.setOption(id, chosen).catch(() => {});
  }
}

async function leave<Sink extends EventSink>(process: AgentProcess<Sink>, kept: ForeignSession<Sink>): Promise<void> {
  kept.follower.sink = undefined;
  process.forget(kept.session.id);
  await kept.session.close().catch(() => {});
}
