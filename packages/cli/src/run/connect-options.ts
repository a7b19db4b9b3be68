import type { ConnectOptions, Deadlines, PermissionHandler, PermissionOptions } from '@parley/client';
import { environmentAuth } from '@parley/client/node';
import type { RememberedStore } from '@parley/policy';
import type { Config } from '../config/config.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { createRememberedFile, rememberedFile } from '../permissions/remembered-file.ts';
import { VERSION } from '../version.ts';
import type { RunSettings } from './run-settings.ts';

/** What flags and settings say about a connection, whoever uses it. */
export function connectOptions(settings: RunSettings, context: CliContext): ConnectOptions {
  const { loaded, flags, agent } = settings;
  const { config } = loaded;
  // `PARLEY_AUTH_<METHOD_ID>` chooses a method and gives the agent its credential.
  const { method: byEnvironment = () => undefined } = environmentAuth(context.env).auth;
  return {
    clientInfo: { name: 'parley', title: 'Parley', version: VERSION },
    ...(flags.fs !== false && config.fs !== false && { workspace: {} }),
    ...(flags.terminal !== false && config.terminal !== false && { terminals: true }),
    deadlines: deadlines(config),
    auth: {
      method: flags.auth ?? config.auth?.[agent.name] ?? config.auth?.['*'] ?? byEnvironment,
      terminal: context.stdin.isTTY === true && context.stdout.isTTY === true,
    },
    permissions: permissionOptions(settings),
  };
}

/** Permissions by mode, rules and memory; whoever can ask a person adds `ask`. */
function permissionOptions({ permissions, loaded, isThrowaway }: RunSettings): PermissionOptions {
  const { mode, rules } = permissions;
  const remembered = createRememberedFile(rememberedFile(loaded.places));
  return {
    mode,
    rules,
    remembered: isThrowaway ? withoutSessions(remembered) : remembered,
    // What an agent offers as "always" mostly means this session; only the person's own setting makes it more.
    rememberScope: loaded.config.permissions?.remember ?? 'session',
  };
}

/** An answer for a session that is gone in a moment need not be kept. */
function withoutSessions(store: RememberedStore): RememberedStore {
  return { ...store, save: async (entry) => (entry.scope === 'session' ? undefined : store.save(entry)) };
}

/** What to do with a question that nobody can answer. */
export function whenNobodyIsThere(whenAlone: 'deny' | 'fail', end: (error: CliError) => void): PermissionHandler {
  return ({ toolCall, because = '' }) => {
    if (whenAlone === 'deny') return 'reject';
    end(
      new CliError(
        'permission_denied',
        `The agent asks for permission and nobody can be asked: ${toolCall.title ?? toolCall.toolCallId}. ${because}`,
        {
          next: ["--allow 'Bash(npm test)'   (a rule)", '--approve-all', '--non-interactive-permissions deny'],
        },
      ),
    );
    return 'cancel';
  };
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
