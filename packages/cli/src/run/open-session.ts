import {
  type AgentConnection,
  applySettings,
  type ClientSession,
  findOption,
  listValues,
  type SessionOptions,
  type SessionSettings,
} from '@parley/client';
import { CliError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { RpcError } from '@parley/jsonrpc';
import { type ErrorKind, kindOfError } from '@parley/protocol';
import { agentSessionIdOf } from '@parley/session';

/** How sessions are opened, and what they are set to once they are open. */
export interface SessionPlan extends SessionOptions {
  /** What the settings file says; a session that was set to something else stays at that. */
  readonly defaults?: SessionSettings;
  /** What flags ask for; counts most. */
  readonly asked?: SessionSettings;
  /** Forgets what was answered for an earlier session that had the id of this new one. */
  readonly forget?: (sessionId: string) => Promise<void>;
}

/** A session that the agent may still have, with what it was set to when it was last open. */
export interface StoredSession extends Pick<SessionSettings, 'mode' | 'settings'> {
  /** What a person types. */
  readonly id: string;
  /** The agent's name. */
  readonly agent: string;
  /** The agent's own id; undefined for a session that was never opened. */
  readonly agentSessionId?: string;
  /** The id under which a host opens it. Default: the agent's own. */
  readonly logId?: string;
}

export interface OpenSessionOptions {
  /** Opened again instead of a new one. */
  readonly stored?: StoredSession | undefined;
  /** Whether the conversation is wanted too, where the agent can tell it again. Default: false. */
  readonly wantsConversation?: boolean;
  /** Told that it is open, before it is set to anything. */
  readonly onOpened?: (session: ClientSession) => void;
  /** Told what could not be set; the rest is. Default: the first problem is thrown. */
  readonly onProblem?: (error: unknown) => void;
  /** Reaches the person. */
  readonly say?: (text: string) => void;
}

/** Opens a session, new or stored, and sets its mode, model and options: the one way for all commands and the chat. */
export async function openSession(
  connection: AgentConnection,
  plan: SessionPlan,
  { stored, wantsConversation = false, onOpened, onProblem, say }: OpenSessionOptions = {},
): Promise<ClientSession> {
  const { defaults: _defaults, asked: _asked, forget, ...options } = plan;
  const openId = stored?.logId ?? stored?.agentSessionId;
  const session =
    stored === undefined || openId === undefined
      ? await connection.newSession(options)
      : await reopen(connection, { ...stored, openId }, options, wantsConversation);
  if (openId === undefined) for (const id of new Set([session.id, agentSessionIdOf(session)])) await forget?.(id);
  onOpened?.(session);
  const { kept, lost } = sortKept(session, stored);
  for (const words of lost) say?.(words);
  await applySettings(session, merge(session, [plan.defaults, kept, plan.asked]), onProblem ? { onProblem } : {});
  return session;
}

/** In the way that fits the purpose, else in the other one. */
async function reopen(
  connection: AgentConnection,
  stored: StoredSession & { readonly openId: string },
  options: SessionOptions,
  wantsConversation: boolean,
): Promise<ClientSession> {
  const { openId } = stored;
  const { loadSession: canLoad, resumeSession: canResume } = connection.offers;
  try {
    if (canLoad && (wantsConversation || !canResume)) return await connection.loadSession(openId, options);
    if (canResume) return await connection.resumeSession(openId, options);
  } catch (error) {
    throw explain(error, stored);
  }
  throw cannotReopen(stored);
}

function cannotReopen({ agent, id }: StoredSession): CliError {
  return new CliError(
    'no_session',
    `${agent} can neither resume nor load a session; what it knew of this one is gone.`,
    { next: ['parley prompt --new "..."', shellLine`parley sessions history ${id}`] },
  );
}

/** The agent has lost it; asking for it again does not help, and a new one would not know what was said. */
const GONE: ReadonlySet<ErrorKind> = new Set(['session_not_found', 'session_expired', 'resource_not_found']);

function explain(error: unknown, stored: StoredSession): unknown {
  if (!GONE.has(kindOfError(error))) return error;
  const { agent, agentSessionId, id } = stored;
  const { reason } = ((error as RpcError).data ?? {}) as { readonly reason?: unknown };
  // A host opens sessions of any agent, and says this of the agent behind it.
  if (reason === 'cannot_reopen') return cannotReopen(stored);
  return new CliError('no_session', `${agent} no longer has the session ${agentSessionId}.`, {
    cause: error,
    next: [
      'parley prompt --new "..."',
      shellLine`parley sessions history ${id}`,
      shellLine`parley sessions delete ${id}`,
    ],
  });
}

/** What a session was set to, as far as the agent still has it; and a word about the rest. */
function sortKept(
  { transcript }: ClientSession,
  { mode, settings = {} }: Pick<StoredSession, 'mode' | 'settings'> = {},
): { readonly kept: SessionSettings; readonly lost: readonly string[] } {
  const lost: string[] = [];
  const found = Object.entries(settings).filter(([id, value]) => {
    const option = transcript.options.find((each) => each.id === id);
    if (!option) return false;
    const isThere = option.type === 'boolean' || listValues(option).some((each) => each.value === value);
    if (!isThere) lost.push(`The agent no longer has "${value}" for ${id}, to which this session was set.`);
    return isThere;
  });
  const hasMode = transcript.mode?.availableModes.some(({ id }) => id === mode) ?? false;
  if (mode !== undefined && !hasMode)
    lost.push(`The agent no longer has the mode "${mode}", to which this session was set.`);
  return { kept: { ...(hasMode && { mode }), settings: Object.fromEntries(found) }, lost };
}

/** Several wishes as one; of two about the same thing, under whatever name, the later counts. */
function merge({ transcript }: ClientSession, layers: readonly (SessionSettings | undefined)[]): SessionSettings {
  const idOf = (key: string): string => findOption(transcript.options, key)?.id ?? key;
  const modeKey = transcript.mode ? 'mode' : idOf('mode');
  const values = new Map<string, string | boolean>();
  for (const { mode, model, settings = {} } of layers.filter((each) => each !== undefined)) {
    if (mode !== undefined) values.set(modeKey, mode);
    if (model !== undefined) values.set(idOf('model'), model);
    for (const [key, value] of Object.entries(settings)) values.set(key === 'mode' ? modeKey : idOf(key), value);
  }
  const take = (key: string): string | undefined => {
    const value = values.get(key);
    values.delete(key);
    return value === undefined ? undefined : String(value);
  };
  return { mode: take(modeKey), model: take(idOf('model')), settings: Object.fromEntries(values) };
}
