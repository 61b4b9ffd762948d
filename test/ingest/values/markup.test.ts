import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  markupToAbstract,
  markupToLine,
  withoutMarkup,
} from '../../../src/ingest/values/markup.ts';

describe('markupToLine', () => {
  it.each([
    ['plain text', 'The sea rises.', 'The sea rises.'],
    ['white space', '  The\n  sea\u00a0rises. ', 'The sea rises.'],
    ['tags inside of words', 'H<sub>2</sub>O and 10<sup>-3</sup>', 'H2O and 10-3'],
    ['tags around words', 'The <i>E. coli</i> genome', 'The E. coli genome'],
    ['nested tags', 'A <fixed-case>B<b>ER</b>T</fixed-case> model', 'A BERT model'],
    ['capital letters in tags', 'The <I>E. coli</I> genome', 'The E. coli genome'],
    ['attributes', '<span class="a" id=\'b\'>Tides</span>', 'Tides'],
    ['tags that stay open', '<i>Tides', 'Tides'],
    ['tags that were never opened', 'Tides</i></p>', 'Tides'],
    ['line breaks', 'Tides<br/>and <br>shores', 'Tides and shores'],
    ['prefixes', '<jats:italic>Tides</jats:italic>', 'Tides'],
    ['unknown names with a prefix', 'a <foo:bar>tide</foo:bar>', 'a tide'],
    ['comments', 'Ti<!-- <b> -->des', 'Tides'],
    ['CDATA', '<![CDATA[a < b & <i>c</i>]]>', 'a < b & <i>c</i>'],
    ['TeX', 'mass of <tex-math>$m_0$</tex-math> each', 'mass of $m_0$ each'],

    ['a comparison', 'p <0.05 and q> 3', 'p <0.05 and q> 3'],
    ['letters compared', 'if a<b and b>c', 'if a<b and b>c'],
    ['a known name that is compared', 'if a <b or c> d', 'if a <b or c> d'],
    ['unknown names', 'the <unk> token </s-x>', 'the <unk> token </s-x>'],
    ['a bare ampersand', 'Smith & Sons, R&D; AT&T', 'Smith & Sons, R&D; AT&T'],
    ['an arrow', 'A -> B <- C', 'A -> B <- C'],

    ['entities', 'a &lt; b &amp; c &gt; d', 'a < b & c > d'],
    ['named and numeric entities', '&alpha;&#946;&#x3b3; &ndash; caf&eacute;', 'αβγ – café'],
    ['entities that are none', '&nosuch; &#; &#xZZ; &', '&nosuch; &#; &#xZZ; &'],
    ['entities encoded twice', 'a &amp;lt; b &amp;amp; c', 'a < b & c'],
    ['tags encoded once', 'The &lt;i&gt;E. coli&lt;/i&gt; genome', 'The E. coli genome'],
    ['tags encoded twice', 'The &amp;lt;i&amp;gt;E. coli&amp;lt;/i&amp;gt;', 'The E. coli'],
    [
      'what was encoded three times',
      'a &amp;amp;amp; b &amp;amp;lt;i&amp;amp;gt;c&amp;amp;lt;/i&amp;amp;gt;',
      'a & b c',
    ],
    [
      'other tags encoded among tags',
      '<p>The &amp;lt;jats:italic&amp;gt;sea&amp;lt;/jats:italic&amp;gt; &amp;lt;span id="a"&amp;gt;b&amp;lt;/span&amp;gt;</p>',
      'The sea b',
    ],
    [
      'tags encoded among tags',
      '<b>The</b> &lt;i&gt;E. coli&lt;/i&gt; genome',
      'The E. coli genome',
    ],
    ['numbers that are no character', 'a&#0;&#xD800;&#x110000;b', 'a\ufffd\ufffd\ufffdb'],
    ['nothing', '', ''],
    ['nothing but tags', '<p><i/></p>', ''],
  ])('reads %s', (_, markup, text) => {
    expect(markupToLine(markup)).toBe(text);
  });

  it.each([
    ['a power', '<math><msup><mi>x</mi><mn>2</mn></msup></math>', 'x2'],
    [
      'a fraction',
      '<mml:math><mml:mfrac><mml:mn>1</mml:mn><mml:mrow><mml:mi>n</mml:mi></mml:mrow></mml:mfrac></mml:math>',
      '1/n',
    ],
    [
      'what the printer set apart',
      'of <math>\n  <mi>a</mi>\n  <mo>=</mo>\n  <mn>3</mn>\n</math> each',
      'of a=3 each',
    ],
    [
      'a formula in TeX beside it',
      '<alternatives><tex-math>\\alpha</tex-math><mml:math><mml:mi>α</mml:mi></mml:math></alternatives>',
      'α',
    ],
    [
      'TeX beside it without alternatives',
      '<inline-formula><mml:math><mml:mi>α</mml:mi></mml:math><tex-math>\\alpha</tex-math></inline-formula>',
      'α',
    ],
    [
      'none, with TeX alone',
      'to <inline-formula><alternatives><tex-math>$5$</tex-math><inline-graphic/></alternatives></inline-formula> Myr',
      'to $5$ Myr',
    ],
    [
      'of one formula and TeX of the next',
      '<alternatives><math><mi>α</mi></math><tex-math>\\alpha</tex-math></alternatives> and ' +
        '<alternatives><tex-math>\\beta &lt; 1</tex-math></alternatives>',
      'α and \\beta < 1',
    ],
    [
      'none, with a whole document of TeX',
      'of <alternatives><tex-math>\\documentclass{minimal}\n\\begin{document}$$m$$\\end{document}</tex-math></alternatives> each',
      'of $$m$$ each',
    ],
    ['none, with TeX that is not closed', 'of <alternatives><tex-math>m', 'of m'],
    [
      'its annotation',
      '<math><semantics><mi>α</mi><annotation encoding="TeX">\\alpha</annotation></semantics></math>',
      'α',
    ],
  ])('reads MathML: %s', (_, markup, text) => {
    expect(markupToLine(markup)).toBe(text);
  });
});

describe('markupToAbstract', () => {
  it.each([
    ['plain text', 'The sea\nrises.', 'The sea rises.'],
    ['a paragraph', '<jats:p>The sea rises.</jats:p>', 'The sea rises.'],
    ['paragraphs', '<p>It rose.</p><p>It fell.</p>', 'It rose.\n\nIt fell.'],
    ['paragraphs that are not closed', '<p>It rose.<p>It fell.', 'It rose.\n\nIt fell.'],
    ['text between them', 'First.<p>It rose.</p>Last.', 'First.\n\nIt rose.\n\nLast.'],
    [
      'a heading that says nothing',
      '<jats:title>Abstract</jats:title><jats:p>It rose.</jats:p>',
      'It rose.',
    ],
    [
      'sections',
      '<sec><title>Background</title><p>It rose.</p><p>It stood.</p></sec>' +
        '<sec><title>Methods:</title><p>We dug.</p></sec>',
      'Background:\n\nIt rose.\n\nIt stood.\n\nMethods:\n\nWe dug.',
    ],
    [
      'sections in sections',
      '<sec><title>Methods</title><sec><title>Sites</title><p>Two.</p></sec></sec>',
      'Methods:\n\nSites:\n\nTwo.',
    ],
    ['a heading with markup', '<title><bold>Aim</bold></title><p>To dig.</p>', 'Aim:\n\nTo dig.'],
    ['a heading without a text', '<p>It rose.</p><title>Funding</title>', 'It rose.\n\nFunding'],
    [
      'lists',
      'Found:<list><list-item><p>clay</p></list-item><list-item>silt</list-item></list>',
      'Found:\n\nclay\n\nsilt',
    ],
    ['what was escaped as a whole', '&lt;p&gt;a &amp;lt; b&lt;/p&gt;', 'a < b'],
    [
      'what was escaped as a whole twice',
      '&amp;lt;p&amp;gt;It rose.&amp;lt;/p&amp;gt;',
      'It rose.',
    ],
    ['empty paragraphs', '<p> </p><p/><p>It rose.</p>', 'It rose.'],
    ['an inline formula', '<p>of <inline-formula>m</inline-formula> each</p>', 'of m each'],
  ])('reads %s', (_, markup, text) => {
    expect(markupToAbstract(markup)).toBe(text);
  });

  it('keeps every word between tags, in order', () => {
    const word = fc.constantFrom('sea', 'p', 'a<b', 'x>y', '&', '3%', 'é', '😀');
    const tag = fc.constantFrom('<i>', '</i>', '<jats:p>', '</jats:p>', '<sec>', '<br/>', '<x:y>');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, tag)), (pairs) => {
        const markup = pairs.map(([text, mark]) => `${text} ${mark} `).join('');
        const words = markupToAbstract(markup).split(/\s+/).join(' ');
        expect(words).toBe(pairs.map(([text]) => text).join(' '));
      }),
    );
  });

  it('never throws', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<p',
        ' a="',
        '"',
        '&',
        '&lt;',
        '<!--',
        '<![CDATA[',
        '<mfrac>',
      ),
    );
    fc.assert(fc.property(fc.array(part), (parts) => void markupToAbstract(parts.join(''))));
  });

  it.each([
    ...[
      '<',
      '<p>',
      '<p ',
      '<p a="',
      '</p>',
      '<i><b>',
      '&',
      '&lt;',
      '&amp;lt;',
      '<!--',
      '<![CDATA[',
    ],
    ...['<mfrac>', '<math>', '<title>', '<alternatives><tex-math>a', 'a ', ' ', '<i>&lt;i&gt;'],
  ])('finishes a megabyte of %j', { timeout: 10_000 }, (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(typeof markupToAbstract(text)).toBe('string');
  });
});

describe('withoutMarkup', () => {
  it.each([
    ['a text without any', ' a < b\nand  c & d <b or e> f ', ' a < b\nand  c & d <b or e> f '],
    ['entities alone', 'a &lt; b\nc &amp; d', 'a < b\nc & d'],
    ['tags that are closed', 'The <i>sea</i>\nrose', 'The sea rose'],
    ['a tag that is not', 'if a<b>c', 'if a<b>c'],
    ['line breaks', 'It rose.<br>It fell.', 'It rose.\n\nIt fell.'],
    ['paragraphs', 'It <b>rose</b>.\n\nIt fell.', 'It rose.\n\nIt fell.'],
  ])('reads %s', (_, text, plain) => {
    expect(withoutMarkup(text)).toBe(plain);
  });
});
