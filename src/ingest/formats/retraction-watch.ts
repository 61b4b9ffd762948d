/**
 * Retraction Watch's table of retractions, corrections and expressions of concern (CSV, which Crossref
 * distributes). A row is a notice about a paper. It joins the paper by DOI or PMID, and waits for it
 * if the index does not have it.
 */
import { identifiersOf } from '../../identity/identifiers.ts';
import type { Identifiers, Notice } from '../../types.ts';
import { headerOf, readTable } from '../plain-text/table.ts';
import type { EntryContent, Format } from '../read/packed-format.ts';

/** Columns in small letters without blanks. */
const REQUIRED = ['recordid', 'retractionnature', 'retractiondate', 'originalpaperdoi'];

const kindOfNature: Readonly<Record<string, Notice['kind']>> = {
  retraction: 'retraction',
  correction: 'correction',
  'expression of concern': 'expression_of_concern',
  reinstatement: 'reinstatement',
};

export const retractionWatchFormat: Format = {
  name: 'retraction-watch',
  description: "Retraction Watch's CSV: notices about papers",
  recognizes: ({ text }) => {
    const { columns } = headerOf(text);
    return REQUIRED.every((name) => columns.includes(name));
  },
  async *entries(source, limits) {
    const { columns, rows } = await readTable(source, limits);
    for await (const row of rows) {
      if ('problem' in row) {
        yield row;
        continue;
      }
      const { line, cells } = row;
      const entry = readRow((name) => (cells[columns.indexOf(name)] ?? '').trim());
      yield row.raw === undefined ? { line, ...entry } : { line, raw: row.raw, ...entry };
    }
  },
};

function readRow(cell: (column: string) => string): EntryContent {
  const nature = cell('retractionnature').toLowerCase();
  const kind = kindOfNature[nature];
  if (kind === undefined) {
    const problem = `the nature "${nature.slice(0, 40)}" is none of ${Object.keys(kindOfNature).join(', ')}`;
    return { problem, reason: 'malformed' };
  }
  const identifiers = paperIn(cell('originalpaperdoi'), cell('originalpaperpubmedid'));
  if (Object.keys(identifiers).length === 0) {
    return { problem: 'the row has neither the DOI nor the PMID of a paper', reason: 'without_id' };
  }
  const own = paperIn(cell('retractiondoi'), cell('retractionpubmedid'));
  const notice: Notice = {
    kind,
    date: isoDate(cell('retractiondate')),
    id: own.doi ?? (own.pmid === undefined ? '' : `PMID:${own.pmid}`),
  };
  const announced = { name: `retraction-watch:${cell('recordid')}`, notice };
  const supplement = { identifiers, abstract: '', announced };
  return {
    supplement: kind === 'retraction' ? { ...supplement, withheld: 'retracted' } : supplement,
  };
}

/** A missing DOI is "unavailable", a missing PMID is 0. */
function paperIn(doi: string, pmid: string): Identifiers {
  return identifiersOf({ doi, pmid });
}

/** "1/23/2020 0:00" as 2020-01-23; empty for other forms. */
function isoDate(text: string): string {
  const iso = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (iso !== undefined) return iso;
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text) ?? [];
  if (year === undefined) return '';
  return [year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-');
}
