/**
 * The records of a large file, as lines in our own format. All sentences come from a small set, so
 * their vectors are computed only once. Otherwise, the file looks like a real update of a large
 * source: many known papers, few new or changed papers, and some bad records.
 */
import { createRandom, oneOf, type Random } from '../measure/random.ts';

const WORDS =
  `sediment carbon tide shoal seagrass salinity current plume delta estuary nitrate bloom
  oxygen larva reef shelf upwelling storm surge mixing gradient basin harbour isotope turbidity
  mooring buoy plankton grazing kelp mussel foraminifera shoreline dredging eddy wave`.split(/\s+/);
const VERBS = 'raises lowers delays precedes limits follows explains outpaces'.split(' ');

const SENTENCES = 1_000;
const SENTENCES_OF_ABSTRACT = 8;
const CHANGED_YEAR_ONE_IN = 50;
const CHANGED_TEXT_ONE_IN = 500;
const BAD_ONE_IN = 5_000;
const HUGE_ONE_IN = 100_000;
/** The first exceeds the limit of a line. The second exceeds only the limit of an abstract. */
const HUGE_CHARACTERS = [9_000_000, 7_000_000];

/** The sentences that all records use. */
export function sentences(): string[] {
  const random = createRandom('sentences');
  const word = (): string => oneOf(WORDS, random);
  return Array.from({ length: SENTENCES }, (_, n) => {
    const verb = oneOf(VERBS, random);
    const middle = `${word()} of the ${word()} ${verb} the ${word()} in ${word()} ${word()}`;
    return `Beyond the ${word()} ${middle} at station ${n + 1}.`;
  });
}

/** An endless sequence of lines: first `documents` new papers, then the same papers repeatedly. */
export function* lines(documents: number): Generator<string> {
  const random = createRandom('records');
  const texts = sentences();
  for (let n = 0; ; n++) {
    const id = n % documents;
    const isKnown = n >= documents;
    if (isKnown && random.below(BAD_ONE_IN) === 0) yield '{"id": "bad", \n';
    if (isKnown && random.below(HUGE_ONE_IN) === 0) {
      yield lineOf({ id: 'huge', abstract: 'x'.repeat(oneOf(HUGE_CHARACTERS, random)) });
    }
    yield lineOf(paper(id, { texts, random, isKnown }));
  }
}

function lineOf(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

function paper(
  id: number,
  { texts, random, isKnown }: { texts: string[]; random: Random; isKnown: boolean },
) {
  const hasOtherText = isKnown && random.below(CHANGED_TEXT_ONE_IN) === 0;
  const hasOtherYear = isKnown && random.below(CHANGED_YEAR_ONE_IN) === 0;
  const own = createRandom(hasOtherText ? `other ${id}` : String(id));
  const text = (): string => oneOf(texts, own);
  return {
    id: `large:${id}`,
    title: text(),
    year: hasOtherYear ? 2021 : 2020,
    abstract: Array.from({ length: SENTENCES_OF_ABSTRACT }, text).join(' '),
    authors: [`A. Author of ${id}`, 'B. Second'],
    venue: 'Journal of large files',
  };
}
