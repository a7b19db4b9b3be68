import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** The addresses behind a host name, as the system knows them. */
export async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Answers Node's question for a host's addresses with those that were checked. */
export function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
}
