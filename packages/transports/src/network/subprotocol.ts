/**
 * What a WebSocket client offers as `Sec-WebSocket-Protocol`. A browser cannot set `Authorization` on a WebSocket, so its
 * token travels as a second protocol, which the server reads and never selects.
 */
export const ACP_SUBPROTOCOL = 'acp';

const TOKEN_PREFIX = 'acp.bearer.';

/** The protocols to offer: none without a token, since not every server selects one. */
export function subprotocolsFor(token: string | undefined): string[] {
  return token === undefined ? [] : [ACP_SUBPROTOCOL, `${TOKEN_PREFIX}${encodeBase64Url(token)}`];
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
