/** Which network addresses belong to the public internet. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Special-purpose IPv4 blocks (RFC 6890), with multicast and reserved addresses. */
const specialIPv4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Special blocks within the assigned IPv6 unicast range: tunnels, documentation, protocols. */
const specialIPv6: readonly [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of specialIPv4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of specialIPv6) special.addSubnet(network, prefix, 'ipv6');
const assigned = new BlockList();
assigned.addSubnet('2000::', 3, 'ipv6');

/** Whether a text is an IP address, not a name, of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  if (isIP(address) === 0) return false;
  return assigned.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
