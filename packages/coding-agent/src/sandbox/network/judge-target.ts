import { isIP } from 'node:net';
import { type AllowedHost, formatAllowedHost, formatHost, type HostTarget, isAllowedHost } from '@parley/policy/hosts';
import { isPrivateAddress } from '../../operations/web/addresses.ts';
import { resolveHost } from '../../operations/web/resolve-host.ts';

export interface JudgeOptions {
  readonly hosts: readonly AllowedHost[];
  /** The setting that has the list, for messages: `agents.gemini.sandbox.network`. */
  readonly setting: string;
  /** Default: asks the system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Whether another proxy is asked, which may know names that this machine does not. */
  readonly isProxied: boolean;
}

/** Whether a host may be reached. `missing`: it may, but has no address. */
export type TargetVerdict =
  /** The connection must go to one of these addresses, which were checked; without any, the other proxy finds them. */
  | { readonly type: 'allowed'; readonly addresses: readonly string[] }
  | { readonly type: 'refused' | 'missing'; readonly message: string };

/** Refuses hosts that are not in the list, and names in the list that lead to private addresses (DNS rebinding). */
export async function judgeTarget(target: HostTarget, options: JudgeOptions): Promise<TargetVerdict> {
  const { hosts, setting, resolve = resolveHost, isProxied } = options;
  const { host, port } = target;
  const name = `${formatHost(host)}:${port}`;
  if (!isAllowedHost(hosts, target)) {
    const message = `The sandbox refused ${name}: it is not in ${setting}. To allow it, add "${formatAllowedHost(target)}" there.`;
    return { type: 'refused', message };
  }
  if (isIP(host) > 0) return { type: 'allowed', addresses: [host] };
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0 && !isProxied) {
    return { type: 'missing', message: `${host} has no address. Check the name and the network.` };
  }
  const hidden = addresses.find((address) => !mayReach(target, address, hosts));
  if (hidden === undefined) return { type: 'allowed', addresses };
  const entry = formatAllowedHost({ host: hidden, port });
  const message = `The sandbox refused ${name}: the name leads to the private address ${hidden}. To allow it, add "${entry}" to ${setting}.`;
  return { type: 'refused', message };
}

/** A private address has to be in the list itself; `localhost` says by its name where it leads. */
function mayReach({ host, port }: HostTarget, address: string, hosts: readonly AllowedHost[]): boolean {
  if (!isPrivateAddress(address) || isAllowedHost(hosts, { host: address, port })) return true;
  return /(?:^|\.)localhost$/.test(host) && /^(?:127\.|::1$)/.test(address);
}
