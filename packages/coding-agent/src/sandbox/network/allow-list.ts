import type { ServeReceived } from '@parley/host/process';
import { parseAllowedHost } from '@parley/policy/hosts';
import type { Program } from '../confine.ts';
import { type AllowProxyOptions, serveAllowProxy } from './allow-proxy.ts';
import { NETWORK_BRIDGE } from './network-bridge.ts';

export interface AllowListOptions extends Omit<AllowProxyOptions, 'hosts'> {
  /** As in settings: `api.example.com`, `*.example.com`, `localhost:8080`. */
  readonly hosts: readonly string[];
}

/** The way out of a sandbox without a network: a proxy of ours that leads to the hosts of a list. */
export interface AllowList {
  /** The program that starts another one with the proxy in its environment; to be confined with `hasNetwork: false`. */
  readonly bridge: (program: Program) => Program;
  /** Serves the proxy on the server that the bridge passes on; an option of `spawnChild`. */
  readonly serveReceived: ServeReceived;
}

export function createAllowList({ hosts: texts, ...options }: AllowListOptions): AllowList {
  const hosts = texts.map(parseAllowedHost).filter((host) => typeof host !== 'string');
  // Programs inside reach each other directly, unless the list has the loopback of the machine outside.
  const inside = LOOPBACK.filter((host) => !hosts.some((entry) => !entry.isSuffix && entry.host === host));
  return {
    bridge: ({ command, args }) => ({
      command: process.execPath,
      args: ['-e', NETWORK_BRIDGE, '--', inside.join(','), command, ...args],
    }),
    serveReceived: (server) => serveAllowProxy(server, { ...options, hosts }),
  };
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1'] as const;
