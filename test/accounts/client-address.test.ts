import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../src/accounts/client-address.ts';

describe('clientAddress', () => {
  const rows: [what: string, proxies: number, forwardedFor: string, address: string][] = [
    ['is that of the socket', 0, '', '10.0.0.1'],
    ['is no header that anybody can write', 0, '203.0.113.9', '10.0.0.1'],
    ['is what the one proxy saw', 1, '203.0.113.9', '203.0.113.9'],
    ['is not what the client made up', 1, '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['is what the outer of two proxies saw', 2, '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['is that of the socket where a proxy was passed by', 2, '1.1.1.1', '10.0.0.1'],
    ['is that of the socket where the proxy added none', 1, '', '10.0.0.1'],
    ['is that of the socket where the header is rubbish', 1, 'unknown', '10.0.0.1'],
    ['is a network of IPv6', 1, '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['is the same network of a short form', 1, '2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
    ['is a network with zeros', 1, '2001:db8::1', '2001:db8:0:0::/64'],
    ['is this machine', 1, '::1', '0:0:0:0::/64'],
    ['is IPv4 in the clothes of IPv6', 1, '::ffff:203.0.113.9', '203.0.113.9'],
  ];
  it.each(rows)('%s', (_what, proxiesTrusted, forwardedFor, address) => {
    expect(clientAddress({ socketAddress: '10.0.0.1', forwardedFor, proxiesTrusted })).toBe(
      address,
    );
  });

  it('accepts an IPv6 peer', () => {
    const origin = { forwardedFor: '', proxiesTrusted: 0 };
    expect(clientAddress({ ...origin, socketAddress: 'fe80::1%eth0' })).toBe('fe80:0:0:0::/64');
    expect(
      clientAddress({ ...origin, socketAddress: '0000:0000:0000:0000:0000:ffff:c000:0207' }),
    ).toBe('192.0.2.7');
  });
});
