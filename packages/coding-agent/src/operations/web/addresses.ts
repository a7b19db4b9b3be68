import { BlockList, isIP } from 'node:net';

/** Networks that are not the public internet: this machine, private, link-local, shared, multicast and reserved ones, and those that carry IPv4 inside. */
const RANGES_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
const RANGES_V6 = [
  // Unspecified, this machine, and IPv4 written into the end of an IPv6 address.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

const hidden = new BlockList();
for (const [network, prefix] of RANGES_V4) hidden.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of RANGES_V6) hidden.addSubnet(network, prefix, 'ipv6');

/** Whether an address is not on the public internet. What is no address at all counts as hidden. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return hidden.check(address, 'ipv4');
  if (family === 6) return hidden.check(address, 'ipv6') || isMapped(address);
  return true;
}

/** IPv4 inside IPv6 (`::ffff:127.0.0.1`) is judged as the IPv4 address it is; other spellings of it are refused. */
function isMapped(address: string): boolean {
  if (!/^::ffff:/i.test(address)) return false;
  const inner = address.slice('::ffff:'.length);
  return isIP(inner) === 4 ? hidden.check(inner, 'ipv4') : true;
}
