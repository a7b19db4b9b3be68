import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors.ts';
import { expandText } from '../mcp-servers/expand-variables.ts';
import { formatAddress, type NetworkAddress } from '../source/address.ts';
import type { AgentSource, AgentWire, Redial } from '../source/agent-source.ts';
import { nodeHost } from './node-host.ts';

export interface NetworkAgentOptions {
  /** Where `${NAME}` of headers and tokens, and `tokenEnv`, are looked up. Default: this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Messages keep the text that they were read from, for whoever passes them on. Default: false. */
  readonly keepsText?: boolean;
  /** How long it is dialled again after a loss. Default: 10 minutes. */
  readonly giveUpAfterMs?: number;
}

/**
 * An agent that is a server. What dials it is loaded with the first dial; token and headers are read anew for every dial, so that
 * a token file may be replaced.
 */
export function networkAgent(address: NetworkAddress, options: NetworkAgentOptions = {}): AgentSource {
  const name = formatAddress(address);
  const { env = process.env } = options;
  let dialling: Promise<Dialled> | undefined;
  let dialled: Dialled | undefined;
  return {
    name,
    host: nodeHost,
    carriesUpdates: address.kind !== 'post',
    // Nobody dials again what was never dialled.
    redial: {
      get firstPauseMs() {
        return dialled?.redial.firstPauseMs ?? 0;
      },
      get maxPauseMs() {
        return dialled?.redial.maxPauseMs ?? 0;
      },
      get giveUpAfterMs() {
        return dialled?.redial.giveUpAfterMs ?? 0;
      },
      isFinal: (error) => isUsage(error) || dialled?.redial.isFinal(error) === true,
    },
    async open(signal) {
      dialling ??= createDialled(address, name, options);
      dialled = await dialling;
      // Over HTTP nothing is sent yet; what cannot be sent later is told now.
      readHeaders(address, name, env);
      if (hasToken(address)) await readToken(address, name, env);
      return await dialled.open(signal);
    },
  };
}

/** A token that is not there does not come by waiting. */
function isUsage(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof Error && error.cause instanceof UsageError);
}

interface Dialled {
  readonly redial: Redial;
  open(signal: AbortSignal): Promise<AgentWire>;
}

async function createDialled(address: NetworkAddress, name: string, options: NetworkAgentOptions): Promise<Dialled> {
  const { env = process.env, giveUpAfterMs, keepsText = false } = options;
  const { kind, url, ca } = address;
  const dial = {
    name,
    keepsText,
    headers: () => readHeaders(address, name, env),
    ...(hasToken(address) && { token: () => readToken(address, name, env) }),
    ...(ca !== undefined && { ca: await readText(ca, `The certificates for ${name}`) }),
    ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
  };
  if (kind === 'websocket') return (await import('@parley/transports/websocket')).webSocketAgent(url, dial);
  if (kind === 'sse') return (await import('@parley/transports/sse')).sseAgent(url, dial);
  const { httpAgent, postAgent } = await import('@parley/transports/http');
  return kind === 'http' ? httpAgent(url, dial) : postAgent(url, dial);
}

type Environment = Readonly<Record<string, string | undefined>>;

function readHeaders({ headers = {} }: NetworkAddress, name: string, env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([field, value]) => {
      const expanded = expandText(value, env, (variable) => {
        throw notSet(`The header ${field} for ${name}`, variable);
      });
      return [field, expanded];
    }),
  );
}

function hasToken({ token, tokenFile, tokenEnv }: NetworkAddress): boolean {
  return token !== undefined || tokenFile !== undefined || tokenEnv !== undefined;
}

async function readToken({ token, tokenFile, tokenEnv }: NetworkAddress, name: string, env: Environment) {
  const what = `The token for ${name}`;
  if (token !== undefined) {
    return expandText(token, env, (variable) => {
      throw notSet(what, variable);
    });
  }
  if (tokenFile !== undefined) return requireToken(await readText(tokenFile, what), `${what} in ${tokenFile}`);
  const value = env[tokenEnv ?? ''];
  if (!value) throw notSet(what, tokenEnv ?? '');
  return value;
}

/** One line: an editor or `echo` puts a line end behind it. */
function requireToken(text: string, what: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError('invalid_settings', `${what} must be one word of plain characters.`);
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const because = code === 'ENOENT' ? 'there is no such file' : code;
    throw new UsageError('invalid_settings', `${what} cannot be read from ${path}: ${because}.`, { cause });
  }
}

function notSet(what: string, variable: string): UsageError {
  return new UsageError('invalid_settings', `${what} needs the environment variable ${variable}, which is not set.`);
}
