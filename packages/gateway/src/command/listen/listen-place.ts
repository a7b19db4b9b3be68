import { usageError } from '@parley/host/command-line';

/** Where a server listens, for clients of any machine or of this one. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 7700;

/** `7700`, `host`, `host:port`, `[::1]:7700`, as `--listen` takes them; a port of its own counts more. */
export function readPlace(text: string, wantedPort?: string): ListenPlace {
  const [isPlace, host = '', digits] = /^(?!\d+$)(\[[\da-f:.]+\]|[\w.-]*)(?::(\d+))?$/i.exec(text) ?? [];
  const isPort = /^\d+$/.test(text);
  if (isPlace === undefined && !isPort)
    throw usageError(`--listen is host:port, not "${text}".`, 'parley agent --listen 127.0.0.1:7700');
  return {
    host: host === '' ? DEFAULT_HOST : bareHost(host),
    port: requirePort(wantedPort ?? (isPort ? text : digits) ?? String(DEFAULT_PORT)),
  };
}

export function requirePort(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usageError(`${text} is not a port; it is a number up to 65535, and 0 takes a free one.`);
}

/** An address as the system wants it: that of version 6 is written in brackets in URLs alone. */
export function bareHost(host: string): string {
  return host.replaceAll(/[[\]]/g, '');
}

/** Throws unless only this machine reaches a place, or the person has said that others may. */
export function requireReachable(
  { host, port }: ListenPlace,
  {
    command,
    isAllowed,
    isEncrypted,
  }: { readonly command: string; readonly isAllowed: boolean; readonly isEncrypted: boolean },
): void {
  if (isLoopback(host) || isAllowed) return;
  const place = command.endsWith('--listen')
    ? `${command} ${host}:${port}`
    : `${command} --host ${host} --port ${port}`;
  throw usageError(
    `On ${host}, other machines could reach agents that edit files and run commands here.`,
    `${command}   (this machine alone; others through an SSH tunnel)`,
    `${place} --allow-remote   (whoever has the token${isEncrypted ? '' : ', unencrypted'})`,
  );
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
