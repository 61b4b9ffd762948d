/**
 * References in print beside BibTeX. Each style gets both: the reference as it prints it, and BibTeX
 * with only the fields, authors, and initials that it prints.
 */
import { bibtexFormat } from '../../src/ingest/formats/bibtex.ts';
import { plainName } from '../../src/search/papers/person-name.ts';
import { escapeTex } from '../../src/search/papers/write-bibtex.ts';
import type { OpenVerify } from '../../src/verify/open-verify.ts';
import { readOneRecord } from '../../src/verify/references/text-source.ts';
import type { ReferenceResult } from '../../src/verify/references/verify-reference.ts';
import type { Table } from '../measure/report.ts';
import { type BenchmarkEntry, toBibtex } from './entries.ts';
import type { Benchmark, Section } from './judge.ts';
import { initialsThenFamily, type PrintedFields, print, type Style, styles } from './styles.ts';

/**
 * Judges all references of the index and the fabricated ones in each style. Wrong are true ones that are no
 * match in print, and fabricated ones that are one in print only.
 */
export async function judgePrinted({
  opened,
  indexed,
  fabricated,
}: Pick<Benchmark, 'opened' | 'indexed' | 'fabricated'>): Promise<Section> {
  const rows: string[][] = [];
  const wrong: object[] = [];
  for (const [name, style] of Object.entries(styles)) {
    const kept = await judgeAll(opened, indexed, style);
    const made = await judgeAll(opened, fabricated, style);
    const missed = kept.filter(({ inPrint }) => !isMatch(inPrint));
    const passed = made.filter(({ inPrint, inBibtex }) => isMatch(inPrint) && !isMatch(inBibtex));
    wrong.push(
      ...[...missed, ...passed].map(({ printed, inPrint }) => ({
        style: name,
        printed,
        result: inPrint,
      })),
    );
    const shares = [
      missed.length / kept.length,
      kept.filter(({ inBibtex }) => !isMatch(inBibtex)).length / kept.length,
      made.filter(({ inPrint }) => !isMatch(inPrint)).length / made.length,
      made.filter(({ inBibtex }) => !isMatch(inBibtex)).length / made.length,
    ];
    const meanMs =
      [...kept, ...made].reduce((sum, { ms }) => sum + ms, 0) / (kept.length + made.length);
    rows.push([name, ...shares.map((share) => share.toFixed(3)), meanMs.toFixed(2)]);
  }
  const head = [
    'style',
    'true, no match',
    'the same in BibTeX',
    'detection',
    'the same in BibTeX',
    'ms',
  ];
  const table: Table = { head, rows };
  return { report: { styles: rows }, shown: ['\nIn print', table], wrong };
}

interface Judged {
  printed: string;
  inPrint: ReferenceResult;
  inBibtex: ReferenceResult;
  ms: number;
}

async function judgeAll(
  opened: OpenVerify,
  entries: readonly BenchmarkEntry[],
  style: Style,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const [seed, entry] of entries.entries()) {
    const fields = await fieldsFor(entry, style, seed);
    const printed = print(style, fields);
    const [inBibtex] = await opened.verify([{ reference: bibtexOf(fields, style) }]);
    const startedMs = performance.now();
    const [inPrint] = await opened.verify([{ reference: printed }]);
    const ms = performance.now() - startedMs;
    judged.push({
      printed,
      inPrint: inPrint as ReferenceResult,
      inBibtex: inBibtex as ReferenceResult,
      ms,
    });
  }
  return judged;
}

function isMatch({ verdict }: ReferenceResult): boolean {
  return verdict === 'match' || verdict === 'match_unverified';
}

async function fieldsFor(
  entry: BenchmarkEntry,
  { shown, hasDoi }: Style,
  seed: number,
): Promise<PrintedFields> {
  const record = await readOneRecord(bibtexFormat, toBibtex(entry));
  const names = record.authors.map(plainName).filter((name) => !/^et al\.?$/i.test(name));
  const hadMore = names.length < record.authors.length;
  const count = Math.min(shown(names.length + Number(hadMore)), names.length);
  return {
    title: record.title,
    authors: names.slice(0, count),
    hasMore: hadMore || count < names.length,
    year: String(record.year),
    venue: record.venue,
    isArticle: entry.type === 'article' || 'journal' in entry.fields,
    doi: hasDoi ? (record.identifiers.doi ?? '') : '',
    seed,
  };
}

function bibtexOf(
  { title, authors, hasMore, year, venue, isArticle, doi }: PrintedFields,
  { hasInitials }: Style,
): string {
  const write = hasInitials ? initialsThenFamily : (name: string) => name;
  const names = [...authors.map(write).map(escapeTex), ...(hasMore ? ['others'] : [])];
  const fields = {
    title: escapeTex(title),
    author: names.join(' and '),
    year,
    [isArticle ? 'journal' : 'booktitle']: escapeTex(venue),
    doi,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  const type = isArticle ? 'article' : 'inproceedings';
  return toBibtex({ key: 'a', type, fields: given, label: 'valid', kind: null });
}
