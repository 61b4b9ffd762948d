import { describe, expect, it } from 'vitest';
import { ownPath } from '../../../src/dashboard/page/redirects.ts';

describe('an own path', () => {
  it.each(['/', '/dashboard', '/dashboard/ledger?kind=searches&from=2026-01-01', '/docs'])(
    '%s is kept',
    (path) => expect(ownPath(path, '/other')).toBe(path),
  );
  it.each(['//x', '/\\x', 'x', '', 'https://x', '/a b', '/a\nb', '/a#b', '/"', null, undefined])(
    '%j is not',
    (path) => expect(ownPath(path, '/other')).toBe('/other'),
  );
});
