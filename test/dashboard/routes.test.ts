import { describe, expect, it } from 'vitest';
import { findPage } from '../../src/dashboard/page/page.ts';
import { pages } from '../../src/dashboard/routes.ts';

describe('a page', () => {
  it('is found by its path, with the parameters of the path', () => {
    expect(findPage(pages, '/dashboard/keys/0123456789/revoke')).toMatchObject({
      page: { path: '/dashboard/keys/:prefix/revoke', access: 'customer' },
      parameters: { prefix: '0123456789' },
    });
  });

  it.each([
    ...[
      '/dashboard/',
      '/dashboard/keys/',
      '/dashboard/keys//revoke',
      '/Dashboard',
      '/dashboard/try/',
    ],
    ...['/dashboard/keys/%2e%2e/revoke', '/dashboard/keys/a b/revoke', '/docs/x', ''],
    `/dashboard/try/${'x'.repeat(65)}`,
  ])('is not found by %j', (path) => {
    expect(findPage(pages, path)).toBeUndefined();
  });

  it('requires a signed-in customer, unless it is listed here', () => {
    const open = pages.filter(({ access }) => access === 'everybody').map(({ path }) => path);
    expect(open).toEqual([
      ...[
        '/',
        '/docs',
        '/openapi.json',
        '/llms.txt',
        '/robots.txt',
        '/.well-known/security.txt',
        '/dashboard/sign-in',
        '/dashboard/sign-in/code',
        '/dashboard/sign-out',
        '/dashboard/link',
      ],
      ...['/dashboard/reset-password', '/dashboard/register'],
    ]);
  });
});
