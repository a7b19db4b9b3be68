import { UsageError } from '../errors.ts';

/** Where an agent is: a command to run, or a server to dial. */
export type AgentAddress = CommandAddress | NetworkAddress;

export interface CommandAddress {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment that the agent gets anyway. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How an agent on the network is spoken to. `http`: streamable HTTP. `sse`: HTTP+SSE. `post`: plain POST. */
export type NetworkKind = 'websocket' | 'http' | 'sse' | 'post';

export interface NetworkAddress {
  readonly kind: NetworkKind;
  /** What is dialled: `ws(s)://` for a WebSocket, else `http(s)://`. */
  readonly url: string;
  /** Sent with every request. `${NAME}` in a value stands for a variable of the environment. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer`, variables filled in; or the file, or the variable, that has it. */
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenEnv?: string;
  /** A file with the certificates (PEM) of authorities to trust, instead of the usual ones. */
  readonly ca?: string;
}

/** What may stand before `://`, and how the agent behind it is spoken to. */
const SCHEMES: Readonly<Record<string, { readonly kind: NetworkKind; readonly dialled: string }>> = {
  ws: { kind: 'websocket', dialled: 'ws' },
  wss: { kind: 'websocket', dialled: 'wss' },
  http: { kind: 'http', dialled: 'http' },
  https: { kind: 'http', dialled: 'https' },
  'http+sse': { kind: 'sse', dialled: 'http' },
  'https+sse': { kind: 'sse', dialled: 'https' },
  'http+post': { kind: 'post', dialled: 'http' },
  'https+post': { kind: 'post', dialled: 'https' },
};

/** `localhost:7700`, `[::1]:7700`: a host and a port, and nothing else. */
const HOST_AND_PORT = /^(\[[\da-f:.]+\]|[a-z\d]([\w.-]*[a-z\d])?):\d{1,5}$/i;

/** Where ACP is on a server, when an address names none. */
const USUAL_PATH = '/acp';

/**
 * Reads an address as a person writes it: `ws(s)://`, `http(s)://` (streamable HTTP), `http(s)+sse://`, `http(s)+post://`,
 * `host:port` (which is `http://host:port/acp`), or a command line with quotes as in a shell.
 */
export function parseAddress(text: string): AgentAddress {
  const trimmed = text.trim();
  if (HOST_AND_PORT.test(trimmed)) return parseUrl('http', `//${trimmed}${USUAL_PATH}`);
  const [, scheme, slashes = ''] = /^([a-z][a-z0-9+.-]*):(\/\/)?/i.exec(trimmed) ?? [];
  const name = scheme?.toLowerCase();
  const isKnown = name !== undefined && Object.hasOwn(SCHEMES, name);
  if (name === undefined || (slashes === '' && !isKnown)) return parseCommand(trimmed);
  if (slashes === '') throw invalid(`"${trimmed}" is not an address; write it like ${name}://host${USUAL_PATH}.`);
  if (!isKnown) throw invalid(`An agent cannot be reached by "${name}:". Use ${POSSIBLE}.`);
  return parseUrl(name, trimmed.slice(name.length + 1));
}

/** Whether a text names a server, or means to: what has a scheme, and what is a host with a port. */
export function isNetworkAddress(text: string): boolean {
  return HOST_AND_PORT.test(text.trim()) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

const POSSIBLE =
  'ws:// or wss:// (WebSocket), http:// or https:// (streamable HTTP), http+sse:// or https+sse://, http+post:// or https+post://, host:port, or a command';

function parseUrl(scheme: string, rest: string): NetworkAddress {
  const { kind, dialled } = SCHEMES[scheme] ?? { kind: 'http', dialled: 'http' };
  const text = `${dialled}:${rest}`;
  if (!URL.canParse(text)) throw invalid(`"${scheme}:${hideUser(rest)}" is not a valid URL.`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    const next = 'Addresses are shown and kept; give a token or headers in the settings instead.';
    throw invalid(`The address of ${url.host} has a user or a password in it. ${next}`);
  }
  // The wire of plain POST has a path of its own, as the two of HTTP+SSE have below theirs.
  if (kind === 'post' && url.pathname === '/') return { kind, url: `${url.origin}${USUAL_PATH}/post${url.search}` };
  return { kind, url: text };
}

/** The address as a person would write it. Never shows headers, environment, a user or a query, which may hold secrets. */
export function formatAddress(address: AgentAddress): string {
  if (address.kind === 'command') return [address.command, ...address.args].map(quote).join(' ');
  const { kind, url } = address;
  const [, scheme = '', rest = ''] = /^([a-z]+):([^?#]*)/i.exec(url) ?? [];
  return `${scheme}${kind === 'sse' || kind === 'post' ? `+${kind}` : ''}:${hideUser(rest)}`;
}

function hideUser(rest: string): string {
  return rest.replace(/\/\/[^/@]*@/, '//');
}

function invalid(message: string): UsageError {
  return new UsageError('invalid_settings', message);
}

function parseCommand(text: string): CommandAddress {
  const [command, ...args] = splitWords(text);
  if (command === undefined || command === '') {
    throw new UsageError('invalid_settings', 'No agent given: name a command, such as `gemini --acp`, or a URL.');
  }
  return { kind: 'command', command, args };
}

/** Splits at white space; single and double quotes and backslashes keep it, as in a POSIX shell. Nothing is expanded. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted: '"' | "'" | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === '\\' && quoted !== "'") {
      index += 1;
      word = (word ?? '') + (text[index] ?? '');
    } else if (quoted !== undefined) {
      if (character === quoted) quoted = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quoted = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quoted !== undefined)
    throw new UsageError('invalid_settings', `The command has a ${quoted} that is never closed: ${text}`);
  if (word !== undefined) words.push(word);
  return words;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
