import {
  type AgentConnection,
  type AgentSource,
  AuthRequiredError,
  type ClientSession,
  type ConnectOptions,
  connect,
  type PhaseEvent,
  type SilenceReport,
  withSecrets,
} from '@parley/client';
import type { PermissionMode } from '@parley/policy';
import type { AuthMethod } from '@parley/protocol';
import { tellLosses, wordNoStream } from '../view/tell-losses.ts';
import type { ChatSession, ChatTarget } from './chat-options.ts';

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

/** What the conversation adds to them. */
export interface OpeningHooks extends ChatHooks {
  /** What is allowed without asking, at this moment; undefined leaves it to the flags. */
  readonly permissionMode: () => PermissionMode | undefined;
}

/** A connection with the session that is talked to. */
export interface OpenChat {
  readonly connection: AgentConnection;
  readonly session: ClientSession;
}

/** Starts the agent and opens a session, new or old. Leaves nothing behind when it fails. */
export async function openChat(options: ChatTarget, hooks: OpeningHooks, stored?: ChatSession): Promise<OpenChat> {
  const { connectTo = connect } = options;
  const connection = await connectTo(withTerminal(options.source, hooks), withHooks(options, hooks), hooks.onNote);
  tellLosses(connection, hooks.onNote);
  const onAbort = (): void => void connection.close();
  hooks.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const session = await openChatSession(connection, options, hooks, stored);
    if (!connection.carriesUpdates) hooks.onNote(`${wordNoStream(connection)}; only the end of a turn is shown`);
    return { connection, session };
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    hooks.signal.removeEventListener('abort', onAbort);
  }
}

/** Opens another session on the same connection. What it cannot be set to is told and not insisted on. */
export async function openChatSession(
  connection: AgentConnection,
  options: ChatTarget,
  hooks: ChatHooks,
  stored?: ChatSession,
): Promise<ClientSession> {
  const session = await withLogin(connection, options, hooks, () =>
    options.openSession(connection, { stored, say: hooks.onNote }),
  );
  await options.onSession?.(session, hooks.onNote);
  return session;
}

/**
 * Opens a session, and lets the person log in as often as the agent wants it: a login that fails is told, and another
 * may be tried. Only who chooses none gives up.
 */
async function withLogin(
  connection: AgentConnection,
  { connect: options }: ChatTarget,
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

/** A question is left open here; the screen shows what is open and answers it. */
function withHooks({ connect: options, mayAsk = true }: ChatTarget, hooks: OpeningHooks): ConnectOptions {
  const given = options(hooks.onNote);
  const leaveOpen = (): undefined => undefined;
  const { mode: byFlags } = given.permissions ?? {};
  const mode = (): PermissionMode =>
    hooks.permissionMode() ?? (typeof byFlags === 'function' ? byFlags() : byFlags) ?? 'default';
  return {
    ...given,
    permissions: { ...given.permissions, mode, ...(mayAsk && { ask: leaveOpen }) },
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
    open: (signal, report) => source.open(signal, report),
    authenticateInTerminal: (login, signal) => lendTerminal(() => authenticateInTerminal.call(source, login, signal)),
  };
}
