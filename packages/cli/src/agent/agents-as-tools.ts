import type { AuthOptions, AuthRequiredError } from '@parley/client';
import type { CalledAgent, CalledAgents } from '@parley/coding-agent';
import type { AgentConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { dialectSetting, readDialect } from '../run/settings/dialect.ts';

/** The agents of the settings that our own may call: those that say `asTool`. They are looked for with their first call. */
export async function agentsAsTools(
  loaded: Pick<LoadedConfig, 'config' | 'places'>,
  context: CliContext,
): Promise<CalledAgents> {
  const { agents = {} } = loaded.config;
  const named = Object.entries(agents).filter(([, { asTool }]) => asTool !== undefined && asTool !== false);
  const called = named.map(async ([name, agent]) => [name, await toCalled(name, agent, loaded, context)] as const);
  return Object.fromEntries(await Promise.all(called));
}

async function toCalled(
  name: string,
  { asTool, title, dialect, protocol }: AgentConfig,
  loaded: Pick<LoadedConfig, 'config' | 'places'>,
  context: CliContext,
): Promise<CalledAgent> {
  const { config } = loaded;
  const { description = title, mode, model, maxToolCalls, maxSeconds } = typeof asTool === 'object' ? asTool : {};
  const say = (text: string): void => void context.stderr.write(`parley: ${text}\n`);
  const version = protocol ?? config.protocol;
  const login = config.auth?.[name] ?? config.auth?.['*'];
  return {
    async source(variables) {
      const [{ resolveAgent }, { openSource }] = await Promise.all([
        import('../agents/resolve-agent.ts'),
        import('../agents/open-source.ts'),
      ]);
      return openSource(await resolveAgent(name, loaded, context), { cwd: context.cwd, env: context.env, variables });
    },
    ...(description !== undefined && { description }),
    ...(mode !== undefined && { mode }),
    ...(model !== undefined && { model }),
    ...(maxToolCalls !== undefined && { maxToolCalls }),
    ...(maxSeconds !== undefined && { maxDurationMs: maxSeconds * 1000 }),
    connect: {
      dialect: dialectSetting(await readDialect(dialect ?? config.dialect ?? 'auto'), {
        peer: name,
        isVerbose: false,
        say,
      }),
      // Files of this machine reach it in version 1 alone, so that another one is spoken only where that is asked for.
      ...(version !== undefined && version !== 'auto' && { protocol: version }),
      auth: {
        method: login ?? (async (error) => chooseLogin(await loginsOf(context), error)),
        credentials: async (method) => (await loginsOf(context)).credentials?.(method),
      },
      onDiagnostic({ kind, message }) {
        if (kind === 'network_refused') say(message);
      },
    },
  };
}

/** As `PARLEY_AUTH_<METHOD_ID>` says. */
async function loginsOf({ env }: CliContext): Promise<AuthOptions> {
  return (await import('@parley/client/node')).environmentAuth(env).auth;
}

function chooseLogin({ method }: AuthOptions, error: AuthRequiredError): ReturnType<ChooseLogin> {
  return typeof method === 'function' ? method(error) : method;
}

type ChooseLogin = Extract<AuthOptions['method'], (error: AuthRequiredError) => unknown>;
