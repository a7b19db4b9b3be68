import {
  type AgentConnection,
  type AuthOptions,
  AuthRequiredError,
  type ConnectOptions,
  credentialsFrom,
  type Deadlines,
  type PermissionOptions,
} from '@parley/client';
import { environmentAuth } from '@parley/client/node';
import { shellLine } from '@parley/host/terminal';
import { RpcError } from '@parley/jsonrpc';
import type { RememberedStore } from '@parley/policy';
import type { AuthMethod } from '@parley/protocol';
import type { Config } from '../config/config.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { createRememberedFile, rememberedFile } from '../permissions/remembered-file.ts';
import { VERSION } from '../version.ts';
import { dialectSetting } from './dialect.ts';
import type { RunSettings } from './run-settings.ts';

/** What flags and settings say about a connection, whoever uses it; `say` reaches the person. */
export function connectOptions(
  settings: RunSettings,
  context: CliContext,
  say: (text: string) => void,
): ConnectOptions {
  const { loaded, flags } = settings;
  const { config } = loaded;
  const { credentials } = environmentAuth(context.env).auth;
  return {
    clientInfo: { name: 'parley', title: 'Parley', version: VERSION },
    ...(flags.fs !== false && config.fs !== false && { workspace: {} }),
    ...(flags.terminal !== false && config.terminal !== false && { terminals: true }),
    deadlines: deadlines(config),
    auth: {
      method: chooseLogin(settings, context),
      ...(credentials && { credentials }),
      terminal: context.stdin.isTTY === true && context.stdout.isTTY === true,
    },
    permissions: permissionOptions(settings),
    dialect: dialectSetting(settings.dialect, { peer: 'The agent', isVerbose: flags.verbose === true, say }),
    onDiagnostic: ({ kind, message }) => {
      // What is lost is told; the rest is for those who want to know more.
      if (flags.verbose || kind === 'message_too_large' || kind === 'session_lost') say(message);
    },
  };
}

type ChosenLogin = NonNullable<NonNullable<ConnectOptions['auth']>['method']>;

/** `PARLEY_AUTH_<METHOD_ID>` chooses a method, where flags and settings do not, and gives the agent its credential. */
function chooseLogin({ flags, loaded, agent }: RunSettings, { env }: CliContext): ChosenLogin {
  const { auth = {} } = loaded.config;
  const { method: byEnvironment = () => undefined } = environmentAuth(env).auth;
  return flags.auth ?? auth[agent.name] ?? auth['*'] ?? byEnvironment;
}

/** Asks the person for the secrets that the environment does not have. */
export function withSecrets(
  auth: AuthOptions = {},
  ask?: (method: AuthMethod) => Promise<string | undefined>,
): AuthOptions {
  if (!ask) return auth;
  return {
    ...auth,
    async credentials(method) {
      const given = await auth.credentials?.(method);
      if (given !== undefined) return given;
      const secret = await ask(method);
      return secret === undefined ? undefined : credentialsFrom(method, secret);
    },
  };
}

/** With `--auth-policy fail`: an agent that offers logins of which none is chosen is not asked for a session. */
export async function requireLogin(
  connection: AgentConnection,
  settings: RunSettings,
  context: CliContext,
): Promise<void> {
  const { authMethods } = connection;
  if (settings.authPolicy !== 'fail' || authMethods.length === 0) return;
  const required = new AuthRequiredError(
    settings.agent.name,
    authMethods,
    new RpcError(AUTH_REQUIRED, 'Authentication required'),
  );
  const chosen = chooseLogin(settings, context);
  const method = typeof chosen === 'function' ? await chosen(required) : chosen;
  if (authMethods.some(({ id }) => id === method)) return;
  const ids = authMethods.map(({ id }) => id);
  throw new CliError('login_not_chosen', `${settings.agent.name} offers logins (${ids.join(', ')}); none is chosen.`, {
    next: [shellLine`--auth ${ids[0] ?? ''}`, '--auth-policy skip   (it may be logged in already)'],
  });
}

const AUTH_REQUIRED = -32000;

/** Permissions by mode, rules and memory, for the chat and for single prompts alike; whoever can ask a person adds `ask`. */
function permissionOptions({ permissions, loaded, isThrowaway }: RunSettings): PermissionOptions {
  const { mode, rules, deniesAll } = permissions;
  const remembered = createRememberedFile(rememberedFile(loaded.places));
  return {
    mode,
    rules,
    ...(deniesAll && { decide: () => ({ verdict: 'deny', because: '--deny-all allows nothing.' }) }),
    remembered: isThrowaway ? withoutSessions(remembered) : remembered,
    // What an agent offers as "always" mostly means this session; only the person's own setting makes it more.
    rememberScope: loaded.config.permissions?.remember ?? 'session',
  };
}

/** An answer for a session that is gone in a moment need not be kept. */
function withoutSessions(store: RememberedStore): RememberedStore {
  return { ...store, save: async (entry) => (entry.scope === 'session' ? undefined : store.save(entry)) };
}

function deadlines({ deadlines: seconds = {} }: Config): Partial<Deadlines> {
  const { spawn, initialize, authenticate, session } = seconds;
  return {
    ...(spawn !== undefined && { spawn: spawn * 1000 }),
    ...(initialize !== undefined && { initialize: initialize * 1000 }),
    ...(authenticate !== undefined && { authenticate: authenticate * 1000 }),
    ...(session !== undefined && {
      'session/new': session * 1000,
      'session/load': session * 1000,
      'session/resume': session * 1000,
      'session/fork': session * 1000,
    }),
  };
}
