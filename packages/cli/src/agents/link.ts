import { type NetworkAddress, parseAddress } from '@parley/client';
import { usageError } from '@parley/host/command-line';

/** A link as `parley serve` shows it: where the server is, and its token behind the `#`, which no server is ever sent. */
export interface Link {
  readonly url: string;
  readonly token: string;
}

const TOKEN_PART = '#token=';

export function formatLink({ url, token }: Link): string {
  return `${url}${TOKEN_PART}${encodeURIComponent(token)}`;
}

/** Takes a link apart; undefined for what is none. The address alone is shown from then on. */
export function readLink(text: string): Link | undefined {
  const at = text.indexOf(TOKEN_PART);
  if (at < 0 || !/^(https?|wss?):\/\/\S+$/i.test(text)) return undefined;
  return { url: text.slice(0, at), token: decodeURIComponent(text.slice(at + TOKEN_PART.length)) };
}

export function linkAddress({ url, token }: Link): NetworkAddress {
  // The link of the page leads to the agents as well.
  const address = parseAddress(url.replace(/^(\w+:\/\/[^/]+)\/?$/, '$1/acp'));
  if (address.kind === 'command') throw usageError('A link is an address and a token: http://host/acp#token=...');
  return { ...address, token };
}
