/** Finds the client's address as far as it can be trusted. Pure. */
import { isIP } from 'node:net';

export interface RequestOrigin {
  /** The peer's address. */
  socketAddress: string;
  /** The X-Forwarded-For header; '' if absent. */
  forwardedFor: string;
  /** The number of trusted proxies. Each appends the address that it saw. */
  proxiesTrusted: number;
}

/**
 * Returns the client's address for throttles. For IPv6 it is the /64 network, since one client owns
 * all of it. Header entries before those of our own proxies are ignored, because anyone can write
 * them.
 */
export function clientAddress({ socketAddress, forwardedFor, proxiesTrusted }: RequestOrigin) {
  const added = forwardedFor.split(',').map((address) => address.trim());
  const seen = proxiesTrusted > 0 ? added.at(-proxiesTrusted) : undefined;
  return networkOf(seen !== undefined && isIP(seen) !== 0 ? seen : socketAddress);
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  // An IPv4 client of a server that listens on IPv6.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return groups.slice(6).flatMap(bytesOf).join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns the eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): string[] {
  const plain = (address.split('%', 1)[0] ?? '')
    .toLowerCase()
    // The last two groups may be written as IPv4.
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_text, a, b, c, d) => {
      return `${hexadecimal(a * 256 + Number(b))}:${hexadecimal(c * 256 + Number(d))}`;
    });
  const [before = [], after] = plain
    .split('::')
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = 8 - before.length - (after?.length ?? 0);
  return [...before, ...Array<string>(zeros).fill('0'), ...(after ?? [])].map((group) =>
    hexadecimal(Number.parseInt(group, 16)),
  );
}

function hexadecimal(value: number): string {
  return value.toString(16);
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
