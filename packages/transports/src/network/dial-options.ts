import type { Transport } from '@parley/jsonrpc';

/** A value, or where to get it anew each time. */
export type Fresh<Value> = Value | (() => Value | Promise<Value>);

/** What every client over the network takes. */
export interface DialOptions {
  /** Sent as `Authorization: Bearer`. A function is asked each time anew, so that a token may expire. */
  readonly token?: Fresh<string | undefined>;
  /** The name in errors. Default: the address without its query. */
  readonly name?: string;
  /** How long the server may take to answer a dial. Default: 30 s. */
  readonly connectTimeoutMs?: number;
  /** The largest message that is read. Default: 32 MiB. */
  readonly maxMessageBytes?: number;
  /** The deepest nesting that is read. Default: 1000. */
  readonly maxDepth?: number;
  /** With more than this unsent, `send` returns a promise. Default: 256 KiB. */
  readonly highWaterBytes?: number;
  /** How long `close` waits for a peer that does not read. Default: 5 s. */
  readonly closeTimeoutMs?: number;
  /** Messages keep the text that they were read from, and are sent again as that: for whoever passes them on. Default: false. */
  readonly keepsText?: boolean;
  /** How long `connect` dials again with `reconnect` before it gives up. Default: 10 minutes. */
  readonly giveUpAfterMs?: number;
}

/** Header fields of one's own, on every request; a function is asked each time anew. */
export interface HeaderOptions {
  readonly headers?: Fresh<Readonly<Record<string, string>>>;
}

/** An open wire to a server. */
export interface NetworkWire {
  readonly transport: Transport;
  /** The path of the agent, where it shows a dialect. */
  readonly endpoint?: string;
  /** Whether more than answers comes back, as far as the server has shown it. Default: it does. */
  readonly carriesUpdates?: () => boolean;
}

/** An agent at an address, which can be dialled as often as need be: what `connect` of `@parley/client` takes. */
export interface NetworkAgent {
  /** As a person would write it. */
  readonly name: string;
  open(signal: AbortSignal): Promise<NetworkWire>;
  /** False where only answers may come back. */
  readonly carriesUpdates?: boolean;
  /** How `connect` dials again when the connection is lost, if it may. */
  readonly redial: {
    readonly firstPauseMs: number;
    readonly maxPauseMs: number;
    readonly giveUpAfterMs: number;
    isFinal(error: unknown): boolean;
  };
}

export const DEFAULT_CONNECT_TIMEOUT_MS = 30_000;
export const DEFAULT_NETWORK_CLOSE_TIMEOUT_MS = 5000;
export const DEFAULT_NETWORK_HIGH_WATER_BYTES: number = 256 * 1024;

export async function getFresh<Value>(source: Fresh<Value>): Promise<Value> {
  return typeof source === 'function' ? await (source as () => Value | Promise<Value>)() : source;
}

/** The header fields for one dial or one request: those of one's own, and the token. */
export async function getHeaders({
  token,
  headers = {},
}: Pick<DialOptions, 'token'> & HeaderOptions): Promise<Record<string, string>> {
  const bearer = await getFresh(token);
  const own = await getFresh(headers);
  return bearer === undefined ? { ...own } : { ...own, authorization: `Bearer ${bearer}` };
}

/** The address as it may be shown: a query or a user may hold secrets. */
export function nameOfAddress(url: string | URL): string {
  const { protocol, host, pathname } = new URL(String(url));
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The address as a URL. Throws a `TypeError` for people when it is none, or of another scheme. */
export function parseAddress(url: string | URL, schemes: readonly string[]): URL {
  const text = String(url);
  if (!URL.canParse(text)) throw new TypeError(`"${text}" is not a URL; write it like ${schemes[0]}//host/acp.`);
  const parsed = new URL(text);
  if (!schemes.includes(parsed.protocol)) {
    throw new TypeError(`"${nameOfAddress(parsed)}" begins with ${parsed.protocol}, not with ${schemes.join(' or ')}.`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new TypeError(
      `The address of ${parsed.host} has a user or a password in it; give \`token\` or \`headers\` instead.`,
    );
  }
  return parsed;
}
