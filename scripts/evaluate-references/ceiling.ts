/**
 * The fabricated references that nobody can tell from a true one by its record, because they differ
 * in nothing that the record holds. It compares letters only, and knows nothing of the verifier.
 */
import { groupBy } from '../measure/statistics.ts';
import { type BenchmarkEntry, letters, namesIn } from './entries.ts';

/** The fabricated ones that no verifier can detect. */
export function indistinguishable(
  fabricated: readonly BenchmarkEntry[],
  indexed: readonly BenchmarkEntry[],
): BenchmarkEntry[] {
  const byTitle = groupBy(indexed, ({ fields }) => letters(fields['title'] ?? ''));
  return fabricated.filter(({ fields }) => {
    const records = byTitle.get(letters(fields['title'] ?? '')) ?? [];
    return records.some((record) => isAlike(fields, record.fields));
  });
}

/** A field that one of the two does not have cannot differ. A DOI may be one of several. */
function isAlike(cited: Record<string, string>, record: Record<string, string>): boolean {
  const isSame = (read: (fields: Record<string, string>) => string): boolean => {
    const [own, other] = [read(cited), read(record)];
    return own === '' || other === '' || own === other;
  };
  return (
    isSame(({ author = '' }) => namesIn(author).map(nameLetters).join(' ')) &&
    isSame(({ year = '' }) => year) &&
    isSame(({ booktitle = '', journal = '', url = '' }) => {
      const venue = letters(booktitle || journal);
      return venue === '' && /arxiv\.org/.test(url) ? 'arxiv' : venue;
    })
  );
}

/** DBLP numbers people with the same name. */
function nameLetters(name: string): string {
  return letters(name.replace(/ \d{4}$/, ''));
}
