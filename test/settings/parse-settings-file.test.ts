import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSettingsFile } from '../../src/settings/parse-settings-file.ts';

const parse = (text: string | Uint8Array) =>
  parseSettingsFile(typeof text === 'string' ? Buffer.from(text) : text, 'x.conf');

describe('parseSettingsFile', () => {
  it('returns names and values with their lines', () => {
    expect(parse('# a comment\n\nA=1\n  # another = one\n B = two words \nC=')).toEqual([
      { name: 'A', text: '1', line: 3 },
      { name: 'B', text: 'two words', line: 5 },
      { name: 'C', text: '', line: 6 },
    ]);
  });

  it.each([
    ['an empty file', '', []],
    ['a byte order mark', '\u{feff}A=1', ['1']],
    ['line ends of Windows', 'A=1\r\nB=2\r\n', ['1', '2']],
    ['an equals sign in a value', 'A=b=c', ['b=c']],
    ['a hash without a blank before it', 'A=b#c', ['b#c']],
    ['a hash in quotes', `A='b # c'\nB="d # e"`, ['b # c', 'd # e']],
    ['a backslash in single quotes', String.raw`A='b\c'`, [String.raw`b\c`]],
    ['the other quotes in quotes', `A="it's"\nB='say "so"'`, ["it's", 'say "so"']],
    ['empty quotes', `A=""`, ['']],
    ['a dollar sign, which expands nothing', 'A=$HOME', ['$HOME']],
    ['a tab', 'A=b\tc', ['b\tc']],
    ['letters of any language', 'A=Müller 漢字', ['Müller 漢字']],
  ])('reads %s', (_, text, values) => {
    expect(parse(text).map((entry) => entry.text)).toEqual(values);
  });

  it.each([
    [
      'a line without =',
      'A=1\nsecret',
      'x.conf:2: this line is not NAME=value, a comment, or blank',
    ],
    ['export', 'export A=1', 'x.conf:1: leave out "export": A=...'],
    ['a name that is none', 'A B=1', 'x.conf:1: "A B" is not a name of a setting'],
    ['no name', '=1', 'x.conf:1: "" is not a name of a setting'],
    [
      'a long name',
      `${'-'.repeat(99)}=1`,
      `x.conf:1: "${'-'.repeat(60)}..." is not a name of a setting`,
    ],
    [
      'a comment after a value',
      'A=1 # one',
      'x.conf:1: a comment needs a line of its own, and a value with " #" needs quotes',
    ],
    ['an open quote', `A="b`, 'x.conf:1: the quotes of this value do not match'],
    ['one quote', `A='`, 'x.conf:1: the quotes of this value do not match'],
    ['text after quotes', `A="b"c"`, 'x.conf:1: the quotes of this value do not match'],
    [
      'quotes within a value',
      `A=b"c"`,
      'x.conf:1: a value with quotes or a backslash needs quotes around all of it',
    ],
    [
      'an escape',
      String.raw`A=b\nc`,
      'x.conf:1: a value with quotes or a backslash needs quotes around all of it',
    ],
    [
      'an escape in quotes',
      String.raw`A="b\nc"`,
      'x.conf:1: a value with a backslash needs single quotes',
    ],
    ['a NUL', 'A=1\nB=\0', 'x.conf:2: this line has a control character'],
    ['an escape of terminals', '\u{1b}[2J=1', 'x.conf:1: this line has a control character'],
    ['a lone carriage return', 'A=1\rB=2', 'x.conf:1: this line has a control character'],
    [
      'bytes that are not UTF-8',
      Buffer.from('A=1\nB=M\xfcller\n', 'latin1'),
      'x.conf:2: this line is not UTF-8',
    ],
    ['UTF-16', Buffer.from('\u{feff}A=1', 'utf16le'), 'x.conf:1: this line is not UTF-8'],
  ])('refuses %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'usage', message }));
  });

  it('reads or refuses any bytes, with the line and without the value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          for (const { name } of parse(bytes)) expect(name).toMatch(/^\w+$/);
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' });
          expect((error as Error).message).toMatch(/^x\.conf:\d+: /);
        }
      }),
    );
  });
});
