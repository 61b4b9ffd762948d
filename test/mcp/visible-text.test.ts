import { describe, expect, it } from 'vitest';
import { visibleText } from '../../src/mcp/visible-text.ts';

const tags = [...'ignore'].map((letter) =>
  String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)),
);

describe('text for a language model', () => {
  it.each([
    ['tags that spell an instruction', `Moths${tags.join('')} fly.`, 'Moths fly.'],
    ['changes of direction', 'a\u202eb\u2066c', 'abc'],
    ['soft hyphens and zero-width spaces', 'mem\u00adory\u200b\ufeff', 'memory'],
    ['joiners in Latin', 'a\u200db\u200cc', 'abc'],
    ['rows of joiners in Persian', 'می\u200c\u200c\u200cخواهم', 'میخواهم'],
    ['variation selectors', 'x\ufe0f\u{e0101}', 'x'],
    ['controls and escapes', 'a\u001b[31mb\u0000', 'a[31mb'],
    ['lone surrogates', 'a\ud800', 'a\ufffd'],
  ])('loses %s', (_what, text, visible) => {
    expect(visibleText(text)).toBe(visible);
  });

  it.each(['می‌خواهم', 'é á', 'β → γ ≤ 1\u2009%', 'a\tb\nc', '𝔘 ∑ 漢字'])('keeps %s', (text) => {
    expect(visibleText(text)).toBe(text);
  });
});
