import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointOffset, codePoints } from '../../src/text/code-points.ts';

describe('codePointOffset', () => {
  it('counts as an iterator of the text does, also lone surrogates', () => {
    const units = fc.constantFrom('a', 'é', '\u{1F9EA}', '\ud83e', '\uddea', '\ud800', '\udfff');
    fc.assert(
      fc.property(fc.array(units, { maxLength: 20 }), fc.nat(40), (parts, at) => {
        const text = parts.join('');
        const offset = Math.min(at, text.length);
        expect(codePointOffset(text, offset)).toBe([...text.slice(0, offset)].length);
        expect(codePoints(text)).toBe([...text].length);
      }),
    );
  });
});
