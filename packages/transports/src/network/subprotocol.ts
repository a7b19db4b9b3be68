/**
 * What a WebSocket client offers as `Sec-WebSocket-Protocol`. A browser cannot set `Authorization` on a WebSocket, so its
 * token travels as a second protocol, which the server reads and never selects.
 */
export const ACP_SUBPROTOCOL = 'acp';

/**
 * As `acp`, but a text frame may hold several messages, one to a line: a browser takes far longer for a frame than for a message. Of
 * ours; a server that does not know it selects `acp`.
 */
export const LINES_SUBPROTOCOL = 'acp.lines';

const TOKEN_PREFIX = 'acp.bearer.';

/** The protocols to offer: none without a token, since not every server selects one. */
export function subprotocolsFor(token: string | undefined): string[] {
  return token === undefined ? [] : [ACP_SUBPROTOCOL, LINES_SUBPROTOCOL, `${TOKEN_PREFIX}${encodeBase64Url(token)}`];
}

/** The protocol that our server selects among those offered; the token is never selected: that would repeat it. */
export function selectSubprotocol(offered: ReadonlySet<string>): string | false {
  return [LINES_SUBPROTOCOL, ACP_SUBPROTOCOL].find((each) => offered.has(each)) ?? false;
}

/** The messages of a frame, by the protocol that was selected. */
export function messagesOfFrame(text: string, subprotocol: string): readonly string[] {
  if (subprotocol !== LINES_SUBPROTOCOL || !text.includes('\n')) return [text];
  return text.split('\n').filter((line) => line !== '');
}

/** The token among the protocols that a client offers; undefined when there is none, or none that can be read. */
export function tokenInSubprotocols(offered: Iterable<string>): string | undefined {
  for (const each of offered) {
    if (!each.startsWith(TOKEN_PREFIX)) continue;
    try {
      return decodeBase64Url(each.slice(TOKEN_PREFIX.length));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Protocol names are HTTP tokens, which have no room for `/`, `=` or anything beyond ASCII. */
function encodeBase64Url(text: string): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decodeBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)));
}
