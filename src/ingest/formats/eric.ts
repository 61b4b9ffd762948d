/** ERIC's own tagged lines (.nbib), a dialect of PubMed's: `OWN - ERIC`. */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { type TaggedValues, taggedFormat } from '../plain-text/tagged-format.ts';
import type { EntryContent } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst } from '../values/author-names.ts';
import { NBIB_TAG, startsNbibRecord } from './nbib.ts';

export const ericFormat = taggedFormat({
  name: 'eric',
  description: "ERIC's tagged lines (.nbib)",
  recognizes: ({ lines }) => lines.some((line) => /^OWN ?- ERIC\s*$/.test(line)),
  tag: NBIB_TAG,
  first: startsNbibRecord,
  read: readRecord,
});

function readRecord({ all, first }: TaggedValues): EntryContent {
  const identifiers = identifiersOf({
    doi: all('AID', 'LID').find((value) => identifiersOf({ doi: value }).doi),
  });
  const [, number = ''] = /\b(E[JD]\d+)/.exec(all('OID', 'LID').join(' ')) ?? [];
  const document = {
    id: documentIdOf(identifiers, number === '' ? '' : `ERIC:${number}`),
    title: first('TI'),
    abstract: all('AB').join('\n\n'),
    year: Number(/\d{4}/.exec(first('DP'))?.[0] ?? 0),
    authors: all('AU').map(givenFirst),
    venue: first('JT'),
    identifiers,
    updatedAt: 0,
  };
  return { document, about: aboutOf(all('LA'), all('PT')) };
}
