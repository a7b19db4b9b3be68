import type { SecureContextOptions } from 'node:tls';
import { readAuthorize } from './guard/tokens.ts';
import { DEFAULT_LISTEN_LIMITS, type ListenLimits } from './limits.ts';
import { ListenError } from './listen-error.ts';
import type { Authorize, ListenOptions, RefusedRequest } from './listener.ts';
import type { Route } from './routes/route.ts';

/** The options of a listener, checked and complete. */
export interface ListenSettings {
  readonly address:
    | { readonly host: string; readonly port: number }
    | { readonly socketPath: string; readonly socketMode: number };
  readonly path: string;
  readonly names: readonly string[];
  readonly authorize: Authorize;
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly routes: Readonly<Record<string, Route>>;
  readonly onRefusal: (refusal: RefusedRequest) => void;
  readonly tls: SecureContextOptions | undefined;
  readonly limits: ListenLimits;
}

export function readOptions(options: ListenOptions): ListenSettings {
  const { host = '127.0.0.1', port = 0, socketPath, path = '/acp', hosts = [], origins = [], tls, limits } = options;
  const { socketMode = OWNER_ONLY } = options;
  if (!/^\/[\w./~-]*[^/]$/.test(path)) throw new ListenError(`"${path}" is no path to listen on; write it like /acp.`);
  const { names = [], routes = {}, onRefusal = () => {} } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new ListenError(`${port} is not a port.`);
  return {
    address: socketPath === undefined ? { host, port } : { socketPath, socketMode },
    path,
    names: names.map(requireName),
    authorize: readAuthorize(options),
    hosts: new Set([...hosts, host].map((name) => name.toLowerCase())),
    origins: new Set(origins.map(requireOrigin)),
    routes,
    onRefusal,
    tls,
    limits: { ...DEFAULT_LISTEN_LIMITS, ...limits },
  };
}

const OWNER_ONLY = 0o600;

/** The paths of wires are below the path too. */
const TAKEN: ReadonlySet<string> = new Set(['rpc', 'sse', 'post']);

function requireName(name: string): string {
  if (/^[\w.~-]+$/.test(name) && !/^\.+$/.test(name) && !TAKEN.has(name)) return name;
  throw new ListenError(
    `"${name}" is no name for a path; use letters, digits, "." "_" "~" and "-", and not ${[...TAKEN].join(', ')}.`,
  );
}

/** Web origins as browsers write them; those of extensions and editors as they are. */
function requireOrigin(origin: string): string {
  if (/^https?:/i.test(origin) && URL.canParse(origin) && new URL(origin).pathname === '/')
    return new URL(origin).origin;
  if (origin === 'null' || /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(origin)) return origin;
  throw new ListenError(`"${origin}" is not an origin; write it like https://app.example, without a path.`);
}
