import { MAX_ERROR_BODY_BYTES } from './limits.ts';
import { NetworkError, type NetworkErrorKind } from './network-error.ts';

/** What a platform's error about the network means. `name` is the address as it may be shown. */
export function explainFailure(error: unknown, name: string): NetworkError {
  if (error instanceof NetworkError) return error;
  const { code, text } = findCode(error);
  const kind = kindOf(code, text);
  const detail = code ?? text;
  return new NetworkError({ kind, message: MESSAGES[kind](name, detail), cause: error });
}

export function timeoutError(name: string, timeoutMs: number): NetworkError {
  const message = `${name} did not answer within ${timeoutMs / 1000} s.`;
  return new NetworkError({ kind: 'timeout', message });
}

/** An answer that is not the one that was asked for. */
export interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly contentType?: string | null | undefined;
  readonly location?: string | null | undefined;
  readonly body: string;
  /** Where it was to answer yes: what it should have been. */
  readonly expected?: string;
}

/** The error for an answer with a status that says no, or that no ACP server would give. */
export function refusalError({ name, status, contentType, location, body, expected }: Refusal): NetworkError {
  const isHtml = (contentType ?? '').includes('html') || /^\s*<(!doctype|html)/i.test(body);
  const shown = isHtml ? describePage(body) : shorten(body);
  const said = shown === '' ? '' : `: ${shown}`;
  const options = { status, body: body.slice(0, MAX_ERROR_BODY_BYTES) };
  if (status >= 300 && status < 400) {
    const where = location == null ? 'elsewhere' : shorten(location);
    return new NetworkError({
      ...options,
      kind: 'refused',
      message: `${name} redirects to ${where} (${status}); use that address.`,
    });
  }
  if (status < 400) {
    const message = `${name} is not an ACP server: it answered ${status} with ${contentType ?? 'no content type'}, not ${expected ?? 'as ACP does'}${said}`;
    return new NetworkError({ ...options, kind: 'not_acp', message });
  }
  const advice = ADVICE[status];
  const message = `${name} refused (${status})${said}${advice === undefined ? '' : `${/[.!?]$/.test(said) ? '' : '.'} ${advice}`}`;
  return new NetworkError({ ...options, kind: isHtml && status === 404 ? 'not_acp' : 'refused', message });
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Check the token.',
  403: 'Check the token, and what it may do.',
  404: 'Check the path of the address; that of ACP is usually /acp.',
  426: 'It wants a WebSocket there.',
};

const MESSAGES: Readonly<Record<NetworkErrorKind, (name: string, detail: string) => string>> = {
  name_not_found: (name, detail) =>
    `Cannot reach ${name}: its host name has no address (${detail}). Check the spelling and the network.`,
  unreachable: (name, detail) =>
    `Cannot reach ${name}: nothing answers there (${detail}). Is the agent running, and is the port right?`,
  tls: (name, detail) =>
    `Cannot trust ${name}: ${detail}. If its authority is a private one, give the certificate of that: \`ca\`, on the command line --ca <file>.`,
  timeout: (name, detail) => `${name} did not answer in time (${detail}).`,
  not_acp: (name, detail) => `${name} is not an ACP server: ${detail}`,
  too_large: (name, detail) => `${name} sent a message above the limit (${detail}).`,
  refused: (name, detail) => `${name} refused: ${detail}`,
  dropped: (name, detail) => `The connection to ${name} was lost (${detail}).`,
};

function kindOf(code: string | undefined, text: string): NetworkErrorKind {
  if (code === undefined) return /invalid (sec-websocket|upgrade)|parse error/i.test(text) ? 'not_acp' : 'dropped';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'name_not_found';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOENT)$/.test(code)) return 'unreachable';
  if (/TIMEDOUT|TIMEOUT/.test(code)) return 'timeout';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO|ISSUER|HOSTNAME_MISMATCH/.test(code)) return 'tls';
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'too_large';
  return /^(HPE_|WS_ERR_|UND_ERR_RESPONSE|UND_ERR_HEADERS_OVERFLOW)/.test(code) ? 'not_acp' : 'dropped';
}

/** The innermost code: fetch wraps what has happened, and a host with several addresses fails once for each. */
function findCode(error: unknown): { readonly code: string | undefined; readonly text: string } {
  let [code, text] = [undefined as string | undefined, 'no reason given'];
  for (let each = error, depth = 0; typeof each === 'object' && each !== null && depth < 8; depth += 1) {
    if ('code' in each && typeof each.code === 'string') code = each.code;
    if ('message' in each && typeof each.message === 'string' && each.message !== '') text = each.message;
    if ('cause' in each && each.cause != null) each = each.cause;
    else each = 'errors' in each && Array.isArray(each.errors) ? each.errors[0] : undefined;
  }
  return { code, text: shorten(text) };
}

function describePage(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  return title ? `an HTML page, "${shorten(title)}"` : 'an HTML page';
}

/** One line without control characters, for a message. */
function shorten(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line;
}

const MAX_SHOWN_CHARACTERS = 200;
