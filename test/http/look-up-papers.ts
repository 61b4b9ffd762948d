/** Papers that the tests of look-ups add to the sample index, and how they ask for them. */
import { join } from 'node:path';
import { jsonLines, writeFiles } from '../ingest/index-files.ts';
import { createCustomer } from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import { bearer, type Caller, type Got, type Sent, send } from './contract.ts';

const TIDES = {
  title: 'Tides of the northern shore after the full moon',
  abstract:
    'Moored instruments measured the tides of the northern shore for eleven years. ' +
    'The highest tides came two days after the full moon, later than on southern shores. ' +
    'A model of the sea floor explains nine tenths of the delay by friction in shallow water.',
  year: 2021,
  authors: ['Anna Berg', 'Bo Dahl'],
};

/** A reference to one of the papers below. */
export const PRINTED_DELAY = 'Ek, C. (2023). Friction delays the tide in shallow water.';

/** A paper, its reprint, papers near them, one with a comma in its id, and a retracted one. */
const PAPERS = [
  {
    ...TIDES,
    id: '10.5555/tides',
    venue: 'Journal of Shores',
    identifiers: { doi: '10.5555/tides', pmid: '7654321', openalex: 'W77' },
  },
  { ...TIDES, id: '10.5555/reprint', venue: 'Collected Shores' },
  {
    id: '10.5555/delay',
    title: 'Friction delays the tide in shallow water',
    abstract:
      'Friction with the sea floor delays the tide in shallow water by up to two days. ' +
      'We compare a model with measurements at nine shores.',
    year: 2023,
    authors: ['Carl Ek'],
    references: [
      { doi: '10.5555/tides' },
      { doi: '10.5555/gone' },
      { text: 'A tide table, 1901.' },
    ],
  },
  {
    id: '10.5555/moon,phase',
    title: 'Phases of the moon and the height of tides',
    abstract: 'Tides are highest soon after the full moon and the new moon.',
    year: 2019,
    references: [{ doi: '10.5555/delay' }, { text: PRINTED_DELAY }],
  },
  {
    id: '10.5555/gone',
    title: 'A tide that never came',
    abstract: 'The tide of the northern shore did not come after the full moon.',
    year: 2018,
    authors: ['Eva Falk'],
    withheld: 'retracted',
  },
  // A bare number may be of both schemes.
  { id: '10.5555/pmid', title: 'Of one scheme', identifiers: { pmid: '424242' } },
  { id: '10.5555/s2', title: 'Of the other scheme', identifiers: { s2: '424242' } },
];

/** Adds the papers to a copy of the sample index. Returns the secret of a customer's key. */
export async function addPapers(database: string): Promise<string> {
  const files = { 'papers.jsonl': jsonLines(PAPERS) };
  const [file = ''] = await writeFiles(join(database, '..'), files);
  await runVerbatim(['index', 'add', file, '--db', database]);
  return createCustomer(database).secret;
}

export function get({ url, secret }: Caller, path: string, sent: Sent = {}): Promise<Got> {
  return send(url, { ...sent, path, headers: { ...bearer(secret), ...sent.headers } });
}
