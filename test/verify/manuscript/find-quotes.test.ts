/** Quotes and their citations, as people write them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTex } from '../../../src/ingest/values/tex.ts';
import { findQuotes } from '../../../src/verify/manuscript/find-quotes.ts';
import { readProse } from '../../../src/verify/manuscript/read-prose.ts';
import { readTex, readTexQuote } from '../../../src/verify/manuscript/read-tex.ts';

beforeAll(loadTex);

const LIST = `

## References

1. Berg, A., & Dahl, B. (2020a). Tides and eelgrass. Marine Notes.
2. Berg, A. (2020b). More about tides. Marine Notes.
3. van der Falk, E. et al. (2019). Urchins and kelp. Shore Letters.
`;
const QUOTE = 'eelgrass grew faster in bays';

/** What the only quote of a text cites. */
function citesOf(text: string): string[] {
  const quotes = findQuotes(readProse(text + LIST).text);
  expect(quotes.map(({ quote }) => quote)).toEqual([QUOTE]);
  return quotes[0]?.cites ?? [];
}

describe('a quote in Markdown or plain text', () => {
  it.each([
    [`They say "${QUOTE}" [3].`, ['3']],
    [`They say “${QUOTE}” [1, 3].`, ['1', '3']],
    [`They say „${QUOTE}“ [1–3].`, ['1', '2', '3']],
    [`They say «${QUOTE}».^3^`, ['3']],
    [`As [2] has it, ‘${QUOTE}’.`, ['2']],
    [`"${QUOTE}" (Berg & Dahl, 2020a, p. 3).`, ['1']],
    [`"${QUOTE}" (e.g., Berg\n2020b; van der Falk et al., 2019)`, ['2', '3']],
    [`Van der Falk et al. (2019) say that "${QUOTE}".`, ['3']],
    [`Berg (2020) says "${QUOTE}".`, ['1', '2']],
    [`"${QUOTE}" [see @berg2020, p. 3; -@{falk 19}].`, ['berg2020']],
    [`"${QUOTE}" [@berg2020; @dahl:21].`, ['berg2020', 'dahl:21']],
    [`As @berg2020 says, "${QUOTE}".`, ['berg2020']],
    [`"${QUOTE}".[^a] More [3].\n\n[^a]: See van der Falk et al. (2019), p. 3.`, ['3']],
    [`Grass grows.[1] Then "${QUOTE}" is said.`, []],
    [`Mail a@example.org. In (2020) on [0, 1] "${QUOTE}".`, []],
    [`\`\`\`\n"something in code is no quote" [1]\n\`\`\`\n"${QUOTE}" [2]`, ['2']],
    [`Berg (2020b) says:\n\n> ${QUOTE}\n\nAnd [3].`, ['2']],
    [`Look:\n\n> ${QUOTE}\n> — van der Falk (2019)`, ['3']],
  ])('%j cites %j', (text, cites) => {
    expect(citesOf(text)).toEqual(cites);
  });

  it('is told apart from a term, a measure, and an apostrophe', () => {
    const text = `A "so called bay" of 5" or 6" by 7" (the dog's and the cat’s) grew ‘tall’ [1].`;
    expect(findQuotes(readProse(text + LIST).text)).toEqual([]);
  });

  it('has its line', () => {
    const text = `One.\n\nTwo (Berg\n2020b) and\n"${QUOTE}" [3].`;
    expect(findQuotes(readProse(text + LIST).text)).toMatchObject([{ line: 5 }]);
  });
});

it('takes references from footnotes and names bibliographies, if there is no list', () => {
  const note = 'Anna Berg, "Tides and eelgrass," Marine Notes 4 (2020): 12.';
  const text = `They say "${QUOTE}".[^1] We differ.[^2]\n\n[^1]: ${note}\n[^2]: Not much.\n`;
  const { references, text: marked } = readProse(text);
  expect(references).toEqual([{ name: '^1', line: 3, reference: note }]);
  expect(findQuotes(marked)).toMatchObject([{ cites: ['^1'] }]);
  const named = readProse(`---\nbibliography:\n  - a.bib\n  - "b.bib"\nlang: en\n---\n${text}`);
  expect(named).toMatchObject({ references: [], bibliographies: ['a.bib', 'b.bib'] });
});

describe('a quote in TeX', () => {
  it.each([
    ["``eelgrass grew\nfaster in bays''~\\citep[see][p.~3]{berg, dahl}.", ['berg', 'dahl']],
    ['\\enquote{eelgrass grew \\emph{faster} in bays} \\footcite{berg}', ['berg']],
    ['\\textcquote[3]{berg}{eelgrass grew {faster} in bays}', ['berg']],
    ['\\blockcquote[see][3]{berg}[.]{eelgrass grew faster in bays}', ['berg']],
    ['\\textquote[\\cite[3]{berg}]{eelgrass grew faster in bays}', ['berg']],
    ["``eelgrass grew faster in bays''.\\footnote{See \\citet{berg}, p. 3.}", ['berg']],
    ['As \\textcite{berg} says, "eelgrass grew faster in bays".', ['berg']],
    [
      '\\begin{displayquote}\neelgrass grew faster in bays \\cite{berg}\n\\end{displayquote}',
      ['berg'],
    ],
    [
      '\\begin{displaycquote}[3]{berg}\neelgrass grew faster in bays\n\\end{displaycquote}',
      ['berg'],
    ],
    ["``eelgrass grew faster in bays'' % \\cite{dahl}\n\\cite{berg}, 50\\% of it", ['berg']],
    [
      "\\begin{verbatim}\n``never read this as a quote'' \\cite{dahl}\n\\end{verbatim}\n``eelgrass grew faster in bays'' \\cite{berg}",
      ['berg'],
    ],
  ])('%j cites %j', (tex, cites) => {
    const quotes = findQuotes(readTex(tex).text);
    expect(quotes.map(({ quote }) => readTexQuote(quote))).toEqual([QUOTE]);
    expect(quotes[0]?.cites).toEqual(cites);
  });
});

it('reads damaged text of 250 KB to its end', () => {
  const pieces = [
    '"',
    '“',
    '[',
    '[@',
    '(Berg 2020',
    '\\enquote{',
    '\\cite{',
    '`` ',
    '[1]',
    '> ',
    ' ',
  ];
  for (const piece of [...pieces, '‘it’s ', '\\begin{quote}\n', '[^1]\n', '“a b c d” [1]']) {
    const text = piece.repeat(250_000 / piece.length);
    expect(readProse(text + LIST).references).toHaveLength(3);
    expect(() => findQuotes(readProse(text + LIST).text)).not.toThrow();
    expect(() => findQuotes(readTex(text).text)).not.toThrow();
  }
});
