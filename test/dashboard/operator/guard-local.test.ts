import { describe, expect, it } from 'vitest';
import { assertOperatorSettings } from '../../../src/commands/open-operator.ts';
import { assertLocal } from '../../../src/dashboard/operator/guard-local.ts';
import { readSettings } from '../../../src/settings/config.ts';

function requestTo(host: string, headers: Record<string, string> = {}) {
  return { header: (name: string) => ({ host, ...headers })[name] ?? '' };
}

describe('a request to the operator’s listener', () => {
  it.each([
    'localhost:9465',
    'localhost',
    'LOCALHOST:80',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]:9465',
  ])('is for this machine as %s', (host) => {
    expect(() => assertLocal(requestTo(host))).not.toThrow();
  });

  it.each([
    ...['', 'example.org', 'example.org:9465', 'localhost.example.org', '127.0.0.1.example.org'],
    ...['192.168.0.7', '[::2]', '0.0.0.0', '[::ffff:7f00:1]', 'localhost@example.org'],
    ...['user@localhost', 'localhost/x', 'localhost?x', 'localhost#x', 'localhost.', 'a b', '%'],
  ])('is refused as %j', (host) => {
    expect(() => assertLocal(requestTo(host))).toThrow('open them as http://localhost');
  });

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'])(
    'is refused if a proxy adds %s',
    (name) => {
      const request = requestTo('localhost', { [name]: '203.0.113.7' });
      expect(() => assertLocal(request)).toThrow('without a proxy');
    },
  );
});

describe('the address of the listener', () => {
  it.each(['127.0.0.1', '127.0.0.2', '::1'])('may be %s', (operatorHost) => {
    const settings = readSettings({ operatorPages: true, operatorHost }, {});
    expect(() => assertOperatorSettings(settings)).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.168.0.7', 'localhost', 'example.org', ''])(
    'must not be %j',
    (operatorHost) => {
      const settings = readSettings({ operatorPages: true, operatorHost }, {});
      expect(() => assertOperatorSettings(settings)).toThrow('VERBATIM_OPERATOR_HOST must be');
    },
  );

  it('does not matter while the pages are off', () => {
    const settings = readSettings({ operatorHost: '0.0.0.0' }, {});
    expect(() => assertOperatorSettings(settings)).not.toThrow();
  });
});
