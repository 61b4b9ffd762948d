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
import { meanOf } from '../measure/statistics.ts';
import { type BenchmarkEntry, toBibtex } from './entries.ts';
import { type Benchmark, isMatch, type Section, share } from './judge.ts';
import { type PrintedFields, print, type Style, shortened, styles } from './styles.ts';

/**
 * Judges all references of the index and the fabricated ones in each style. Wrong are true ones that are no
 * match in print, and fabricated ones that are one in print only.
 */
export async function judgePrinted({ opened, indexed, fabricated }: Benchmark): Promise<Section> {
  const rows: string[][] = [];
  const wrong: object[] = [];
  for (const [name, style] of Object.entries(styles)) {
    const kept = await judgeAll(opened, indexed, style);
    const made = await judgeAll(opened, fabricated, style);
    const missed = kept.filter(({ inPrint }) => !isMatch(inPrint));
    const passed = made.filter(({ inPrint, inBibtex }) => isMatch(inPrint) && !isMatch(inBibtex));
    for (const { printed, inPrint } of [...missed, ...passed]) {
      wrong.push({ style: name, printed, result: inPrint });
    }
    const shares = [kept, made].flatMap((all) =>
      (['inPrint', 'inBibtex'] as const).map((as) =>
        share(all.filter((one) => !isMatch(one[as])).length, all.length),
      ),
    );
    const meanMs = meanOf([...kept, ...made].map(({ ms }) => ms));
    rows.push([name, ...shares, meanMs.toFixed(2)]);
  }
  const inBibtex = 'the same in BibTeX';
  const head = ['style', 'true, no match', inBibtex, 'detection', inBibtex, 'ms'];
  return { report: { styles: rows }, shown: ['\nIn print', { head, rows }], wrong };
}

async function judgeAll(opened: OpenVerify, entries: readonly BenchmarkEntry[], style: Style) {
  const verify = async (reference: string): Promise<ReferenceResult> =>
    (await opened.verify([{ reference }]))[0] as ReferenceResult;
  const judged = [];
  for (const [seed, entry] of entries.entries()) {
    const fields = await fieldsFor(entry, style, seed);
    const printed = print(style, fields);
    const inBibtex = await verify(bibtexOf(fields, style));
    const startedMs = performance.now();
    const inPrint = await verify(printed);
    judged.push({ printed, inPrint, inBibtex, ms: performance.now() - startedMs });
  }
  return judged;
}

async function fieldsFor(
  entry: BenchmarkEntry,
  { shown, link }: Style,
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
    doi: link === undefined ? '' : (record.identifiers.doi ?? ''),
    seed,
  };
}

function bibtexOf(printed: PrintedFields, style: Style): string {
  const { title, authors, hasMore, year, venue, isArticle, doi } = printed;
  const names = [...authors.map(shortened(style)).map(escapeTex), ...(hasMore ? ['others'] : [])];
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
