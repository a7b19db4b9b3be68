import { networkInterfaces } from 'node:os';

/** Where programs of this machine dial a server: an address that stands for all addresses is none to dial. */
export function localUrl(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}

/** Where other machines may dial a server that listens on all addresses; nothing for one that listens on a single one. */
export function remoteUrls(url: string): readonly string[] {
  const isWild = /:\/\/(0\.0\.0\.0|\[::\]):/.test(url);
  if (!isWild) return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => url.replace(/:\/\/(0\.0\.0\.0|\[::\]):/, `://${address}:`));
}
