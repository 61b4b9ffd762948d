import { describe, expect, it } from 'vitest';
import { plainLine, plainText } from '../../../src/lanes/text/plain-text.ts';

const rows: [what: string, markup: string, text: string][] = [
  ['tags', 'A <b>bold</b> <i class="x">word</i><br/>here', 'A bold word here'],
  ['tags of a name in capitals', '<STRONG>Sleep</STRONG>', 'Sleep'],
  ['JATS', '<jats:p>One <jats:italic>two</jats:italic>.</jats:p>', 'One two.'],
  ['headings', '<jats:title>Abstract</jats:title><jats:p>One.</jats:p>', 'One.'],
  [
    'MathML',
    'If <mml:math xmlns:mml="x"><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:math>.',
    'If x=1.',
  ],
  [
    'a formula in MathML and TeX',
    'so <jats:alternatives><jats:tex-math>$a$</jats:tex-math><mml:math><mml:mi>a</mml:mi></mml:math></jats:alternatives> holds',
    'so a holds',
  ],
  ['a formula in TeX alone', 'so <jats:tex-math>$a$</jats:tex-math> holds', 'so $a$ holds'],
  [
    'the annotation of a formula',
    '<math><mi>a</mi><annotation encoding="x">\\a</annotation></math>',
    'a',
  ],
  [
    'small capitals and their kind',
    'The <scp>DNA</scp> of <fixed-case>E</fixed-case><q>coli</q>',
    'The DNA of Ecoli',
  ],
  ['scripts and styles', 'a<script>alert(1)</script>b<style>p{}</style>c', 'abc'],
  ['comments and CDATA', 'a<!-- <b>x</b> -->b<![CDATA[c]]>d', 'abcd'],
  ['entities', 'A &amp; B &lt; C &#x27;q&#39; &eacute;&nbsp;x', "A & B < C 'q' é x"],
  ['entities encoded twice', 'p &amp;lt; 0.05 &amp;amp; more', 'p < 0.05 & more'],
  ['entities encoded three times', 'p &amp;amp;lt; 0.05', 'p < 0.05'],
  [
    'tags as entities',
    '&lt;i&gt;E. coli&lt;/i&gt; and &amp;lt;sub&amp;gt;2&amp;lt;/sub&amp;gt;',
    'E. coli and 2',
  ],
  [
    'brackets that are not tags',
    'a < b and c > d, p<0.05 and <x> or <p and q>',
    'a < b and c > d, p<0.05 and <x> or <p and q>',
  ],
  ['an ampersand alone', 'AT&T &c. &unknown; &', 'AT&T &c. &unknown; &'],
  ['white space of any kind', ' a\t\n b\u00a0\u2003c\u2028d ', 'a b c d'],
  ['control characters', 'a\u0000b\u0007c\u001b[31md\u007f\u0085e', 'abc[31mde'],
  ['bidi characters', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
  ['invisible characters', 'a\u200bb\ufeffc\u00add\u{e0041}e', 'abcde'],
  ['bidi characters as entities', 'a&#x202e;b&amp;#8238;c', 'abc'],
  ['joiners that scripts need', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['halves of surrogate pairs', 'a\ud800b', 'a\ufffdb'],
  ['nothing', ' <p> </p> ', ''],
];

describe('plainLine', () => {
  it.each(rows)('converts %s', (_what, markup, text) => {
    expect(plainLine(markup)).toBe(text);
  });

  it.each(rows)('leaves its own result for %s unchanged', (_what, _markup, text) => {
    expect(plainLine(text)).toBe(text);
  });

  it.each([
    ['brackets', '<'],
    ['tags that never end', '<jats:p '],
    ['headings that never end', '<jats:title>'],
    ['comments that never end', '<!--'],
    ['attributes', '<p a=1 '],
    ['ampersands', '&amp;'],
    ['spaces', ' \n'],
  ])('takes linear time for a megabyte of %s', (_what, piece) => {
    const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
    expect(plainLine(text).length).toBeLessThanOrEqual(text.length);
  });
});

describe('plainText', () => {
  it.each([
    ['paragraphs', '<jats:p>One.</jats:p>\n<jats:p>Two</jats:p>', 'One.\n\nTwo'],
    ['a list', 'Aims:<ul><li>one</li><li>two</li></ul>', 'Aims:\n\none\n\ntwo'],
    [
      'sections',
      '<jats:sec><jats:title>Aims</jats:title><jats:p>One</jats:p></jats:sec>Two',
      'One\n\nTwo',
    ],
    ['headings of HTML', '<h4>Aims</h4>One.<h4>Results</h4>Two.', 'One.\n\nTwo.'],
    ['lines of plain text', 'One\n\nTwo', 'One Two'],
  ])('separates %s', (_what, markup, text) => {
    expect(plainText(markup)).toBe(text);
  });
});
