/**
 * The references of a benchmark: JSON lines with the fields of a BibTeX entry and a label. Files differ in
 * the names of the other fields, and in the case of the label.
 */
import { linesOf } from '../measure/sample.ts';

export interface BenchmarkEntry {
  key: string;
  type: string;
  /** BibTeX fields; values are TeX. */
  fields: Record<string, string>;
  label: 'valid' | 'hallucinated';
  /** How it was fabricated; null for a true one. */
  kind: string | null;
}

/** An entry of either kind of file. */
interface Line extends Pick<BenchmarkEntry, 'fields'> {
  key?: string;
  bibtex_key?: string;
  type?: string;
  bibtex_type?: string;
  label: string;
  kind?: string | null;
  hallucination_type?: string | null;
}

export function readEntries(path: string): BenchmarkEntry[] {
  return linesOf(path).map((text) => {
    const line = JSON.parse(text) as Line;
    return {
      key: line.key ?? line.bibtex_key ?? '',
      type: line.type ?? line.bibtex_type ?? '',
      fields: line.fields,
      label: line.label.toLowerCase() as BenchmarkEntry['label'],
      kind: line.kind ?? line.hallucination_type ?? null,
    };
  });
}

/** The entry as BibTeX, without what would end it early: braces that do not match, and marks in its key. */
export function toBibtex({ type, key, fields }: BenchmarkEntry): string {
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${name} = {${balanced(value)}},\n`,
  );
  return `@${type}{${key.replace(/[^\w:.-]/g, '')},\n${lines.join('')}}\n`;
}

/** The names in a BibTeX list. */
export function namesIn(author: string): string[] {
  return author.split(/\s+and\s+/);
}

/** Letters and digits in lower case. */
export function letters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function balanced(value: string): string {
  let depth = 0;
  for (const [brace] of value.matchAll(/\\.|[{}]/g)) {
    if (brace === '{') depth++;
    else if (brace === '}' && --depth < 0) break;
  }
  return depth === 0 ? value : value.replace(/[{}]/g, '').replace(/\\+$/, '');
}
