/** The references of pasted texts, with their places. */
import { beforeAll, expect, it } from 'vitest';
import { loadTex } from '../../../src/ingest/values/tex.ts';
import { type PastedReference, readPasted } from '../../../src/verify/manuscript/read-pasted.ts';

const ONE = 'Berg, A., & Dahl, B. (2020). Tides and eelgrass. Marine Notes.';
const TWO = 'Falk, E. (2019). Urchins and kelp. Shore Letters.';
const TIDES = '@article{tides,\n  title = {Tides},\n  journal = shore,\n  year = 2020\n}';
const MOONS = '@inproceedings{moons, title = {Moons}, crossref = {all}}';
const MACRO = '@string{shore = "Journal of Shores"}';
const VOLUME = '@proceedings{all, title = {Proceedings of Shores}, year = 2019}';
const RIS = ['Tides', 'Moons'].map((title) => `TY  - JOUR\nTI  - ${title}\nPY  - 2020\nER  -`);
const PROSE =
  'Tides have been known for long, and they are still measured (https://doi.org/10.5555/tides).\nThis is what was said of moons, too: see arXiv:2603.23971.';

beforeAll(loadTex);

function read(text: string): Promise<PastedReference[]> {
  return readPasted(text, { lineBytesMax: 100_000, referencesMax: 3 });
}

/** The parts of a text that are marked. */
async function marked(text: string): Promise<(string | undefined)[]> {
  const references = await read(text);
  return references.map(({ place }) => place && text.slice(place.start, place.end));
}

it.each<[what: string, text: string, found: string[]]>([
  ['a printed bibliography', `References\n\n${ONE}\n${TWO}\n`, [ONE, TWO]],
  [
    'a file of BibTeX',
    `%% Made on 2020-01-01\n${MACRO}\n\n${TIDES}\n\n${MOONS}\n${VOLUME}\n`,
    [TIDES, MOONS],
  ],
  ['printed references with an entry', `${ONE}\n\n${MOONS}\n\n${TWO}`, [ONE, MOONS, TWO]],
  ['a chat', `Here they are:\n\n${TIDES}\n${MOONS}`, [TIDES, MOONS]],
  ['BibTeX that breaks off', `${TIDES}\n@misc{b, title = {Moo`, [TIDES, '@misc{b, title = {Moo']],
  ['RIS', RIS.join('\n\n'), RIS],
  [
    'prose with its list',
    `Tides rise (Berg & Dahl, 2020), and 10.5555/x is no reference.\n\n## References\n\n${ONE}\n\n${TWO}`,
    [ONE, TWO],
  ],
  [
    'prose with footnotes',
    `Tides rise.[^1] Urchins fall.[^2]\n\n[^1]: ${ONE}\n[^2]: ${TWO}`,
    [ONE, TWO],
  ],
  ['prose with identifiers', PROSE, ['https://doi.org/10.5555/tides', 'arXiv:2603.23971']],
  ['prose before a bibliography', `${PROSE.split(' (')[0]}.\n\n${ONE}\n\n${TWO}`, [ONE, TWO]],
  [
    'a list with comments',
    `1. ${ONE} This is what they have shown.\n2. ${TWO}`,
    [`${ONE} This is what they have shown.`, TWO],
  ],
  ['nothing', ' \n\n', []],
])('of %s are marked', async (_, text, found) => {
  expect(await marked(text)).toEqual(found);
});

it('of BibTeX are read with macros and inherited fields, and have their keys as names', async () => {
  const [tides, moons] = await read([MACRO, TIDES, MOONS, VOLUME].join('\n'));
  expect(tides).toMatchObject({ name: 'tides', reference: expect.stringContaining('Journal of') });
  expect(moons).toMatchObject({ name: 'moons', reference: expect.stringContaining('2019') });
});

it('of CSL-JSON have no places', async () => {
  const items = [{ id: 'a', type: 'article', title: 'Tides', issued: {} }];
  expect(await marked(JSON.stringify(items))).toEqual([undefined]);
});

it('of BibTeX are read until they are too many', async () => {
  expect(await read(`${TIDES}\n`.repeat(9))).toHaveLength(4);
});

it('of a million blanks are none', async () => {
  // Work that grew with the square of the length would take longer than the limit of a test.
  for (const blank of ['\t', '\n']) expect(await read(blank.repeat(1_000_000))).toEqual([]);
});
