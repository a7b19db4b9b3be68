import { createHash, timingSafeEqual } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { DEFAULT_LISTEN_LIMITS, type ListenLimits } from './limits.ts';
import { ListenError } from './listen-error.ts';
import type { Authorize, ListenOptions } from './listener.ts';

/** Whose sessions these are when nobody tells people apart: the one person at this machine, as the store calls them. */
const DEFAULT_PRINCIPAL = 'local';

/** The options of a listener, checked and complete. */
export interface ListenSettings {
  readonly address: { readonly host: string; readonly port: number } | { readonly socketPath: string };
  readonly path: string;
  readonly names: readonly string[];
  readonly authorize: Authorize;
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly tls: SecureContextOptions | undefined;
  readonly limits: ListenLimits;
}

export function readOptions(options: ListenOptions): ListenSettings {
  const { host = '127.0.0.1', port = 0, socketPath, path = '/acp', hosts = [], origins = [], tls, limits } = options;
  if (!/^\/[\w./~-]*[^/]$/.test(path)) throw new ListenError(`"${path}" is no path to listen on; write it like /acp.`);
  const { names = [] } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new ListenError(`${port} is not a port.`);
  return {
    address: socketPath === undefined ? { host, port } : { socketPath },
    path,
    names: names.map(requireName),
    authorize: readAuthorize(options),
    hosts: new Set([...hosts, host].map((name) => name.toLowerCase())),
    origins: new Set(origins.map(requireOrigin)),
    tls,
    limits: { ...DEFAULT_LISTEN_LIMITS, ...limits },
  };
}

/** The paths of wires are below the path too. */
const TAKEN: ReadonlySet<string> = new Set(['rpc', 'sse', 'post']);

function requireName(name: string): string {
  if (/^[\w.~-]+$/.test(name) && !/^\.+$/.test(name) && !TAKEN.has(name)) return name;
  throw new ListenError(
    `"${name}" is no name for a path; use letters, digits, "." "_" "~" and "-", and not ${[...TAKEN].join(', ')}.`,
  );
}

function readAuthorize({ token, authorize }: ListenOptions): Authorize {
  if (token !== undefined && authorize !== undefined) throw new ListenError('Give a token or authorize, not both.');
  if (token !== undefined) return requireToken(token);
  if (authorize === undefined) {
    throw new ListenError(
      'Every program and web page that reaches the port could use this agent. Give a token, authorize(), or say authorize: "anyone".',
    );
  }
  return authorize === 'anyone' ? () => ({ principal: DEFAULT_PRINCIPAL }) : authorize;
}

/** Digests are compared, so that neither time nor length tells how much of a guess was right. */
function requireToken(token: string): Authorize {
  if (token === '') throw new ListenError('The token is empty, which would let in everybody who sends none.');
  const expected = digest(token);
  return ({ token: given }) =>
    given !== undefined && timingSafeEqual(digest(given), expected) ? { principal: DEFAULT_PRINCIPAL } : undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Web origins as browsers write them; those of extensions and editors as they are. */
function requireOrigin(origin: string): string {
  if (/^https?:/i.test(origin) && URL.canParse(origin) && new URL(origin).pathname === '/')
    return new URL(origin).origin;
  if (origin === 'null' || /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(origin)) return origin;
  throw new ListenError(`"${origin}" is not an origin; write it like https://app.example, without a path.`);
}
