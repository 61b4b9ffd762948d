import { describe, expect, it } from 'vitest';
import {
  isAllowedRedirect,
  isLoopbackRedirect,
  matchesRedirect,
} from '../../../src/http/oauth/redirect-uri.ts';

describe('an address to which clients may send customers', () => {
  it.each([
    'https://agent.example/callback',
    'https://agent.example',
    'https://agent.example:8443/callback?from=verbatim',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:49152/callback',
    'http://[::1]:49152/callback',
    'http://localhost/callback',
  ])('is %s', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(true);
  });

  it.each([
    '',
    'callback',
    '//agent.example/callback',
    'http://agent.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost.evil.example/callback',
    'http://localhost@evil.example/callback',
    'http://127.0.0.1:80@evil.example/callback',
    'http://127.1/callback',
    'http://0x7f000001/callback',
    'https://ada@agent.example/callback',
    'https://agent.example/callback#token',
    'https://agent.example\\@evil.example/',
    'https://agent.example/call back',
    'https://agent.example/\ncallback',
    'https://агент.example/callback',
    'https://agent.example;script-src/callback',
    'https://agent.example,*/callback',
    'https://agent.example%3b/callback',
    'https://*/callback',
    'http://127.0.0.1:99999/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'agent:callback',
    `https://agent.example/${'x'.repeat(2_000)}`,
  ])('is not %j', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(false);
  });
});

describe('an address that a client asks for', () => {
  it.each([
    ['https://agent.example/callback', 'https://agent.example/callback'],
    ['http://127.0.0.1:5/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5/callback'],
    ['http://[::1]:5/callback?a=b', 'http://[::1]:6/callback?a=b'],
    ['http://localhost:5', 'http://localhost'],
  ])('%s may stand for %s', (asked, registered) => {
    expect(matchesRedirect(asked, registered)).toBe(true);
  });

  it.each([
    ['https://agent.example:5/callback', 'https://agent.example/callback'],
    ['https://agent.example/callback/', 'https://agent.example/callback'],
    ['https://AGENT.example/callback', 'https://agent.example/callback'],
    ['https://agent.example./callback', 'https://agent.example/callback'],
    ['https://ada@agent.example/callback', 'https://agent.example/callback'],
    ['https://agent.example/callback#token', 'https://agent.example/callback'],
    ['https://agent.example/%63allback', 'https://agent.example/callback'],
    ['https://agent.example/a/../callback', 'https://agent.example/callback'],
    ['http://127.0.0.1:5/a/../callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1:99999/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1:5/callback#token', 'http://127.0.0.1/callback'],
    ['http://LOCALHOST:5/callback', 'http://localhost/callback'],
    ['http://localhost.:5/callback', 'http://localhost/callback'],
    ['http://127.0.0.1:5/other', 'http://127.0.0.1/callback'],
    ['http://localhost:5/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1:5/callback?a', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1:123456/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1.evil.example/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1:80@evil.example/callback', 'http://127.0.0.1/callback'],
    ['https://127.0.0.1/callback', 'http://127.0.0.1/callback'],
  ])('%s may not stand for %s', (asked, registered) => {
    expect(matchesRedirect(asked, registered)).toBe(false);
  });

  it('is on this computer only if the whole host is', () => {
    expect(isLoopbackRedirect('http://127.0.0.1:5/x')).toBe(true);
    expect(isLoopbackRedirect('http://127.0.0.12/x')).toBe(false);
  });
});
