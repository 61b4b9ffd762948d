import { describe, expect, it } from 'vitest';
import { ownPath } from '../../../src/dashboard/page/page-redirects.ts';

describe('a path that may be redirected to', () => {
  it.each(['/', '/dashboard', '/dashboard/ledger?kind=searches&from=2026-01-01', '/docs'])(
    'includes %s',
    (path) => expect(ownPath(path, '/other')).toBe(path),
  );
  it.each(['//x', '/\\x', 'x', '', 'https://x', '/a b', '/a\nb', '/a#b', '/"', null, undefined])(
    'does not include %j',
    (path) => expect(ownPath(path, '/other')).toBe('/other'),
  );
});
