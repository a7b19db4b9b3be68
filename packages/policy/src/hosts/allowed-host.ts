/** A host that may be reached: `api.example.com`, `*.example.com`, `127.0.0.1:8080`, `[::1]`. */
export interface AllowedHost {
  /** Lower case, without brackets and without a dot at its end; of `*.example.com` the part after the star. */
  readonly host: string;
  /** True for `*.example.com`, which allows every name below `example.com` and not that name itself. */
  readonly isSuffix: boolean;
  /** Default: `WEB_PORTS`. */
  readonly port?: number;
}

/** A host and a port that a program asks for. */
export interface HostTarget {
  /** As in `AllowedHost`. */
  readonly host: string;
  readonly port: number;
}

/** The ports of an entry that names none: HTTP and HTTPS. */
const WEB_PORTS: readonly number[] = [80, 443];

/** Reads an entry of a list of hosts; returns the problem as a string. */
export function parseAllowedHost(text: string): AllowedHost | string {
  if (text === '*') return 'expected a host; to allow every host, set network to "on"';
  const [, star, written = '', digits] = ENTRY.exec(text) ?? [];
  const isSuffix = star !== undefined;
  const host = normalizeHost(written);
  if (host === undefined || (isSuffix && isAddress(host))) return `expected ${FORMS}, not ${JSON.stringify(text)}`;
  if (digits === undefined) return { host, isSuffix };
  const port = readPort(digits);
  return port === undefined ? `expected a port from 1 to 65535, not ${digits}` : { host, isSuffix, port };
}

/** Reads `host:port`, as `CONNECT` has it. */
export function parseHostTarget(text: string): HostTarget | undefined {
  const [, written = '', digits = ''] = TARGET.exec(text) ?? [];
  const [host, port] = [normalizeHost(written), readPort(digits)];
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** Whether a list has this very host, or a star that covers it, and the port. A star covers no addresses. */
export function isAllowedHost(list: readonly AllowedHost[], { host, port }: HostTarget): boolean {
  return list.some((entry) => {
    const isHost = entry.isSuffix ? !isAddress(host) && host.endsWith(`.${entry.host}`) : host === entry.host;
    return isHost && (entry.port === undefined ? WEB_PORTS.includes(port) : port === entry.port);
  });
}

/** The entry that would allow this target and nothing else. */
export function formatAllowedHost({ host, port }: HostTarget): string {
  return WEB_PORTS.includes(port) ? formatHost(host) : `${formatHost(host)}:${port}`;
}

/** A host as URLs have it: IPv6 addresses in brackets. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

const FORMS = 'a host such as api.example.com, *.example.com, localhost:8080 or [::1]:8080';
const ENTRY = /^(\*\.)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/;
const TARGET = /^(\[[^\]]*\]|[^:]*):(\d+)$/;
/** Everything else would end the host in a URL, or be removed from it. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s\p{Cc}/?#@\\:%[\]*]+)$/iu;
const NAME = /^(?!.*\.\.)[^.].*$/;
const MAX_NAME_CHARACTERS = 253;

/** One spelling for each host: URLs turn `EXAMPLE.com`, `0x7f.1` and `[0::1]` into the host that is really dialled. */
function normalizeHost(text: string): string | undefined {
  const url = `http://${text}/`;
  if (!HOST.test(text) || !URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return NAME.test(host) && host.length <= MAX_NAME_CHARACTERS ? host : undefined;
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^\d+(?:\.\d+){3}$/.test(host);
}

function readPort(digits: string): number | undefined {
  const port = Number(digits);
  return digits.length <= 5 && port >= 1 && port <= 65_535 ? port : undefined;
}
