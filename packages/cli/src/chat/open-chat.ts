import {
  type AgentConnection,
  type AgentSource,
  AuthRequiredError,
  CapabilityError,
  type ClientSession,
  type ConnectOptions,
  connect,
  listValues,
  type PhaseEvent,
  type SilenceReport,
} from '@parley/client';
import { type AuthMethod, canLoadSession, canResumeSession } from '@parley/protocol';
import type { ChatOptions } from '../chat-options.ts';
import { withSecrets } from '../run/connect-options.ts';

/** What the chat does about things that need a person or a screen. */
export interface ChatHooks {
  readonly onPhase: (event: PhaseEvent) => void;
  readonly onSilence: (report: SilenceReport) => void;
  /** Something that did not work out and stops nothing. */
  readonly onNote: (text: string) => void;
  /** Chooses one of the agent's ways to log in; undefined to give up. */
  readonly chooseLogin: (error: AuthRequiredError) => Promise<string | undefined>;
  /** Asks for the secret of a login, where the agent's dialect wants it sent; undefined to send none. */
  readonly askSecret: (method: AuthMethod) => Promise<string | undefined>;
  /** Gives the terminal to a program for a while. */
  readonly lendTerminal: <Result>(use: () => Promise<Result>) => Promise<Result>;
  readonly signal: AbortSignal;
}

/** A connection with the session that is talked to. */
export interface OpenChat {
  readonly connection: AgentConnection;
  readonly session: ClientSession;
}

/** Starts the agent and opens a session, new or old. Leaves nothing behind when it fails. */
export async function openChat(options: ChatOptions, hooks: ChatHooks, resume?: string): Promise<OpenChat> {
  const connection = await connect(withTerminal(options.source, hooks), connectOptions(options, hooks));
  const onAbort = (): void => void connection.close();
  hooks.signal.addEventListener('abort', onAbort, { once: true });
  try {
    return { connection, session: await openSession(connection, options, hooks, resume) };
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    hooks.signal.removeEventListener('abort', onAbort);
  }
}

/** Opens another session on the same connection, with the mode and the settings that were asked for. */
export async function openSession(
  connection: AgentConnection,
  options: ChatOptions,
  hooks: ChatHooks,
  resume?: string,
): Promise<ClientSession> {
  const { cwd, additionalDirectories, mcpServers, meta } = options;
  const place = {
    cwd,
    ...(additionalDirectories && { additionalDirectories }),
    ...(mcpServers && { mcpServers }),
    ...(meta && { meta }),
  };
  const session = await withLogin(connection, options, hooks, () =>
    resume === undefined ? connection.newSession(place) : reopen(connection, resume, place),
  );
  await applySettings(session, options, hooks.onNote);
  await options.onSession?.(session);
  return session;
}

/**
 * Opens a session, and lets the person log in as often as the agent wants it: a login that fails is told, and another
 * may be tried. Only who chooses none gives up.
 */
async function withLogin(
  connection: AgentConnection,
  { connect: options }: ChatOptions,
  hooks: ChatHooks,
  open: () => Promise<ClientSession>,
): Promise<ClientSession> {
  // What flags, settings or the environment say is tried once, before anybody is asked.
  let chosen = options(hooks.onNote).auth?.method;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AuthRequiredError) || error.methods.length === 0) throw error;
      const first = typeof chosen === 'function' ? await chosen(error) : chosen;
      chosen = undefined;
      await logIn(connection, error, hooks, first);
    }
  }
}

async function logIn(
  connection: AgentConnection,
  required: AuthRequiredError,
  hooks: ChatHooks,
  first: string | undefined,
): Promise<void> {
  for (let next = first; ; next = undefined) {
    const methodId = next ?? (await hooks.chooseLogin(required));
    if (methodId === undefined) throw required;
    try {
      return await connection.authenticate(methodId);
    } catch (error) {
      // A connection that is gone cannot be logged in to; opening the session says why.
      if (connection.state === 'closed') return;
      hooks.onNote(`The login did not succeed. ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** With its conversation where the agent can tell it again, else without. */
function reopen(
  connection: AgentConnection,
  sessionId: string,
  place: Parameters<AgentConnection['newSession']>[0],
): Promise<ClientSession> {
  if (canLoadSession(connection.capabilities)) return connection.loadSession(sessionId, place);
  if (canResumeSession(connection.capabilities)) return connection.resumeSession(sessionId, place);
  throw new CapabilityError(`Session ${sessionId} cannot be opened again`, 'agentCapabilities.loadSession');
}

/** A question is left open here; the screen shows what is open and answers it. */
function connectOptions({ connect: options, mayAsk = true }: ChatOptions, hooks: ChatHooks): ConnectOptions {
  const given = options(hooks.onNote);
  const leaveOpen = (): undefined => undefined;
  return {
    ...given,
    permissions: { ...given.permissions, ...(mayAsk && { ask: leaveOpen }) },
    elicitation: { ...given.elicitation, form: leaveOpen, url: leaveOpen },
    // Logging in is the chat's business: it can ask, and ask again.
    auth: { terminal: given.auth?.terminal ?? true, ...pickSecrets(given.auth, hooks) },
    watchdog: { ...given.watchdog, onSilence: hooks.onSilence },
    onPhase: (event) => {
      given.onPhase?.(event);
      hooks.onPhase(event);
    },
    signal: given.signal ? AbortSignal.any([given.signal, hooks.signal]) : hooks.signal,
  };
}

/** Where the agent's dialect wants a secret with the login, the person is asked for it. */
function pickSecrets(auth: ConnectOptions['auth'], { askSecret }: ChatHooks): ConnectOptions['auth'] {
  const { credentials } = withSecrets(auth, askSecret);
  return credentials ? { credentials } : {};
}

/** A login in the terminal needs the keyboard that we hold. */
function withTerminal(source: AgentSource, { lendTerminal }: ChatHooks): AgentSource {
  const { authenticateInTerminal } = source;
  if (!authenticateInTerminal) return source;
  return {
    ...source,
    open: (signal) => source.open(signal),
    authenticateInTerminal: (login, signal) => lendTerminal(() => authenticateInTerminal.call(source, login, signal)),
  };
}

/** What the agent does not have is told and not insisted on. */
async function applySettings(
  session: ClientSession,
  { mode, model, settings = {} }: ChatOptions,
  onNote: (text: string) => void,
): Promise<void> {
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      onNote(error instanceof Error ? error.message : String(error));
    }
  };
  if (mode !== undefined) await attempt(() => session.setMode(mode));
  if (model !== undefined) {
    const option = session.transcript.options.find(({ category }) => category === 'model');
    const value =
      option && (listValues(option).find((each) => each.value === model || each.name === model)?.value ?? model);
    if (option && value !== undefined) await attempt(() => session.setOption(option.id, value));
    else onNote(`The agent lets nobody choose its model, so "${model}" was not set.`);
  }
  for (const [id, value] of Object.entries(settings)) await attempt(() => session.setOption(id, value));
}
