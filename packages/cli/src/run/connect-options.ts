import { type AgentConnection, AuthRequiredError, type ConnectOptions, type PermissionOptions } from '@parley/client';
import { environmentAuth } from '@parley/client/node';
import { CliError, usageError } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { RememberedStore } from '@parley/policy';
import { errorOfKind } from '@parley/protocol';
import { OWN_AGENT } from '../agents/own-agent.ts';
import type { CliContext } from '../context.ts';
import { createRememberedFile, rememberedFile } from '../permissions/remembered-file.ts';
import { VERSION } from '../version.ts';
import { dialectSetting } from './settings/dialect.ts';
import type { RunSettings } from './settings/run-settings.ts';
import { cancelGraceMs } from './stop-limits.ts';

/** What flags and settings say about a connection, whoever uses it; `say` reaches the person. */
export function connectOptions(
  settings: RunSettings,
  context: CliContext,
  say: (text: string) => void,
): ConnectOptions {
  const { agent, serves, deadlines, output, dialect } = settings;
  const { credentials } = environmentAuth(context.env).auth;
  return {
    clientInfo: { name: 'parley', title: 'Parley', version: VERSION },
    ...(serves.files && { workspace: {} }),
    ...(serves.terminals && { terminals: true }),
    deadlines,
    limits: { cancelGraceMs: cancelGraceMs(settings) },
    // A network breaks, and the agent goes on meanwhile; a program that has ended has ended.
    ...(agent.address.kind !== 'command' && { reconnect: true }),
    auth: {
      method: chooseLogin(settings, context),
      ...(credentials && { credentials }),
      terminal: context.stdin.isTTY === true && context.stdout.isTTY === true,
    },
    permissions: permissionOptions(settings),
    dialect: dialectSetting(dialect, { peer: 'The agent', isVerbose: output.isVerbose, say }),
    ...protocolOf(settings),
    onDiagnostic: ({ kind, message }) => {
      // What is lost is told; the rest is for those who want to know more.
      if (output.isVerbose || TOLD.has(kind)) say(message);
    },
  };
}

/**
 * The best version that the agent speaks. An agent on the network may have another disk, and files of this one reach it in version 1
 * alone: there it is version 1 as long as we serve any.
 */
function protocolOf({ agent, protocol }: RunSettings): Pick<ConnectOptions, 'protocol'> {
  if (protocol !== undefined) return { protocol };
  return agent.address.kind === 'command' ? { protocol: 'auto' } : {};
}

/** What the person asked for, or would miss, and does not get. */
const TOLD: ReadonlySet<string> = new Set([
  'message_too_large',
  'session_lost',
  'mcp_server_refused',
  'network_refused',
]);

type ChosenLogin = NonNullable<NonNullable<ConnectOptions['auth']>['method']>;

/** `PARLEY_AUTH_<METHOD_ID>` chooses a method, where flags and settings do not, and gives the agent its credential. */
function chooseLogin({ login }: RunSettings, { env }: CliContext): ChosenLogin {
  const { method: byEnvironment = () => undefined } = environmentAuth(env).auth;
  return login.method ?? byEnvironment;
}

/** With `--auth-policy fail`: an agent that offers logins of which none is chosen is not asked for a session. */
export async function requireLogin(
  connection: AgentConnection,
  settings: RunSettings,
  context: CliContext,
): Promise<void> {
  const { authMethods } = connection;
  const { method: named = '', isAsked } = settings.login;
  if (isAsked && !authMethods.some(({ id }) => id === named)) {
    const there = authMethods.map(({ id }) => id).join(', ') || 'none';
    throw usageError(`${settings.agent.name} has no login "${named}" for --auth; it has ${there}.`);
  }
  if (settings.login.policy !== 'fail' || authMethods.length === 0) return;
  const required = new AuthRequiredError(settings.agent.name, authMethods, errorOfKind('auth_required'));
  const chosen = chooseLogin(settings, context);
  const method = typeof chosen === 'function' ? await chosen(required) : chosen;
  if (authMethods.some(({ id }) => id === method)) return;
  const ids = authMethods.map(({ id }) => id);
  throw new CliError('login_not_chosen', `${settings.agent.name} offers logins (${ids.join(', ')}); none is chosen.`, {
    next: [shellLine`--auth ${ids[0] ?? ''}`, '--auth-policy skip   (it may be logged in already)'],
  });
}

/** Permissions by mode, rules and memory, for the chat and for single prompts alike; whoever can ask a person adds `ask`. */
function permissionOptions({ agent, permissions, places, isThrowaway }: RunSettings): PermissionOptions {
  const { mode, rules, deniesAll, rememberScope } = permissions;
  const remembered = createRememberedFile(rememberedFile(places), agent.name);
  return {
    mode,
    rules,
    ...(deniesAll && { decide: () => ({ verdict: 'deny', because: '--deny-all allows nothing.' }) }),
    remembered:
      agent.name === OWN_AGENT ? keptByAgent(remembered) : isThrowaway ? withoutSessions(remembered) : remembered,
    rememberScope,
  };
}

/** An answer for a session that is gone in a moment need not be kept, and none holds for it. */
function withoutSessions(store: RememberedStore): RememberedStore {
  return {
    ...store,
    list: async (place) => (await store.list(place)).filter(({ scope }) => scope !== 'session'),
    save: async (entry) => (entry.scope === 'session' ? undefined : store.save(entry)),
  };
}

/** Our own agent keeps the answers to its questions in the same file; to keep them here too would be to keep them twice. */
function keptByAgent(store: RememberedStore): RememberedStore {
  return { ...store, save: async () => {} };
}
