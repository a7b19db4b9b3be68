import { ParleyError } from '@parley/jsonrpc';
import { inWords, isRecord } from './fields.ts';
import { type Pair, readPairs } from './pairs.ts';

/** How an agent is reached, in one shape for every document. */
export type LaunchConfig =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly Pair[];
    }
  | { readonly kind: 'http' | 'websocket' | 'sse'; readonly url: string; readonly headers: readonly Pair[] };

/** A launch configuration that names no program and no address. */
export class LaunchConfigError extends ParleyError {
  override readonly name = 'LaunchConfigError';

  constructor(message: string) {
    super('launch_config_invalid', message);
  }
}

/**
 * Reads a host's description of an agent: `transport`-tagged with maps (S4:1069), or `type`-tagged with lists. Without
 * a tag, a command means `stdio`, a `ws:` address `websocket`, and any other address `http`.
 */
export function parseLaunchConfig(value: unknown): LaunchConfig {
  if (!isRecord(value)) throw new LaunchConfigError('A launch configuration must be an object.');
  const { command, url, args, env, headers } = value;
  const kind = value.kind ?? value.transport ?? value.type ?? guessKind(command, url);
  switch (kind) {
    case 'stdio':
      if (typeof command !== 'string') throw new LaunchConfigError('A stdio agent needs a "command" to be started.');
      return { kind, command, args: strings(args), env: pairs(env) };
    case 'http':
    case 'websocket':
    case 'sse':
      if (typeof url !== 'string' || !URL.canParse(url)) {
        throw new LaunchConfigError(`An agent reached over ${kind} needs a "url" that is an absolute address.`);
      }
      return { kind, url, headers: pairs(headers) };
    default:
      throw new LaunchConfigError(`Unknown transport "${inWords(kind)}"; use stdio, http, websocket or sse.`);
  }
}

function guessKind(command: unknown, url: unknown): unknown {
  if (command !== undefined) return 'stdio';
  if (typeof url !== 'string') return undefined;
  return /^wss?:/i.test(url) ? 'websocket' : 'http';
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function pairs(value: unknown): readonly Pair[] {
  const read = readPairs(value);
  return Array.isArray(read) ? (read as readonly Pair[]) : [];
}
