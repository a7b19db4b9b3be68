import type { AuthMethod } from '@parley/protocol';
import type { AuthRequiredError } from '../errors.ts';
import type { TerminalLogin } from '../source/agent-source.ts';

/** How to log in when the agent asks for it. */
export interface AuthOptions {
  /** The method to use, by its id, or a choice among those the agent offers; undefined to give up. */
  readonly method?: string | ((error: AuthRequiredError) => string | undefined | Promise<string | undefined>);
  /**
   * Lets the agent offer methods that run in the person's terminal. Only where there is one, and only with a source
   * that can run them. Default: false.
   */
  readonly terminal?: boolean;
  /**
   * The secrets of a method, for an agent whose dialect wants them in `authenticate` (`pharo`): `{ apiKey: '...' }`. Asked
   * for right before; undefined to send none.
   */
  readonly credentials?: (method: AuthMethod) => unknown;
}

/**
 * A secret as it is sent with `authenticate`. A JSON object is sent as it is; any other text goes under the method's own
 * name: `api_key` becomes `{ apiKey: '...' }`.
 */
export function credentialsFrom({ id }: AuthMethod, secret: string): unknown {
  const given = secret.trimStart().startsWith('{') ? parseObject(secret) : undefined;
  const name = id.toLowerCase().replaceAll(/[^a-z0-9]+(.)?/g, (_, next: string = '') => next.toUpperCase());
  return given ?? { [name]: secret };
}

/** Asks the person for the secrets that these options do not have. */
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

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a method that runs in a terminal is run; undefined for methods that the agent runs by itself. */
export function terminalLoginOf(method: AuthMethod): TerminalLogin | undefined {
  if ('type' in method && method.type === 'terminal') {
    const { id, args, env } = method;
    return { id, ...(args && { args }), ...(env && { env }) };
  }
  return readMeta(method);
}

/** Before the specification had a word for it, agents told the whole command in `_meta`. */
function readMeta({ id, _meta }: AuthMethod): TerminalLogin | undefined {
  const note = _meta?.['terminal-auth'];
  if (typeof note !== 'object' || note === null) return undefined;
  const { command, args, env } = note as { command?: unknown; args?: unknown; env?: unknown };
  return {
    id,
    ...(typeof command === 'string' && { command }),
    ...(Array.isArray(args) && { args: args.map(String) }),
    ...(typeof env === 'object' && env !== null && { env: env as Record<string, string> }),
  };
}
