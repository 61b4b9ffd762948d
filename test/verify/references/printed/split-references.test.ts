/** A pasted bibliography is split into its references, with their places. */
import { expect, it } from 'vitest';
import { splitReferences } from '../../../../src/verify/references/printed/split-references.ts';

const ONE = 'Berg, A. (2020). Tides of the northern shore. Journal of Shores, 12, 4–5.';
const TWO =
  'Dahl, B., & Falk, E. (2021). Moons 😀 of the outer shore. https://doi.org/10.5555/moons';
const THREE = 'Ek, C. "Slack tides." Journal of Shores, 2019.';
const WRAPPED = ONE.replace('northern shore', 'northern\nshore').replace('Shores,', 'Shores,\n');

function split(text: string): string[] {
  const found = splitReferences(text);
  let last = 0;
  for (const { start, end, text: own } of found) {
    expect(text.slice(start, end)).toBe(own);
    expect(start).toBeGreaterThanOrEqual(last);
    last = end;
  }
  return found.map(({ text: own }) => own);
}

it.each<[how: string, text: string]>([
  ['one a line', `${ONE}\n${TWO}\n${THREE}\n`],
  ['with blank lines', `# References\n\n${ONE}\r\n\r\n${TWO}\n \n${THREE}`],
  ['numbered', `1. ${ONE}\n2. ${TWO}\n10. ${THREE}`],
  ['numbered with brackets', `References\n[1] ${ONE}\n[2] ${TWO}\n\n[3] ${THREE}`],
  ['numbered in one line', `[1] ${ONE} [2] ${TWO} [3] ${THREE}`],
  ['numbered with parentheses', `(1) ${ONE}\n(2) ${TWO}\n(3) ${THREE}`],
  ['as footnotes', `[^1]: ${ONE}\n\n[^2]: ${TWO}\n[^note]: ${THREE}`.replace('note', '3')],
  ['with raised numbers', `^1^ ${ONE}\n^2^ ${TWO}\n^3^ ${THREE}`],
  ['with labels', `[Ber20] ${ONE}\n[DF21] ${TWO}\n[Ek19] ${THREE}`],
  ['with bullets', `- ${ONE}\n- ${TWO}\n- ${THREE}`],
  [
    'of LaTeX',
    `\\begin{thebibliography}{9}\n\\bibitem{a} ${ONE}\n\\bibitem[B]{b} ${TWO}\n\\bibitem{c} ${THREE}\n\\end{thebibliography}`,
  ],
  [
    'of a chat',
    `Here are three papers since 2019:\n\n1. ${ONE}\n2. ${TWO}\n3. ${THREE}\n\nShall I look for more?`,
  ],
])('a list %s', (_, text) => {
  expect(split(text)).toEqual([ONE, TWO, THREE]);
});

it.each<[how: string, text: string]>([
  ['numbered', `1. ${WRAPPED}\n2. ${TWO}`],
  ['with a hanging indent', `${WRAPPED.replaceAll('\n', '\n   ')}\n${TWO}`],
  ['with blank lines', `${WRAPPED}\n\n${TWO}`],
  ['without any mark', `${WRAPPED}\n${TWO}`],
])('references in several lines %s', (_, text) => {
  const found = split(text).map((one) => one.replaceAll(/\s+/g, ' '));
  expect(found).toEqual([ONE, TWO]);
});

it('entries of BibTeX', () => {
  const entries = ['@article{a,\n  title={Tides},\n\n  year=2020\n}', '@misc{b, title={Moons}}'];
  expect(split(entries.join('\n\n'))).toEqual(entries);
});

it('identifiers and titles, one a line', () => {
  expect(split('10.5555/tides\narXiv:2003.00001\n')).toEqual(['10.5555/tides', 'arXiv:2003.00001']);
  expect(split('Slack Tides\nTides of the northern shore')).toHaveLength(2);
});

it.each(['', ' \n\n', '# References\n'])('nothing in %j', (text) => {
  expect(split(text)).toEqual([]);
});
