/** Reads a reference in any format, and writes it back with corrections. */
import type { TexBudget } from '../../ingest/values/tex.ts';
import { readJsonReference } from './json-values.ts';
import { isCslItem } from './object-fields.ts';
import { readBibtexReference } from './read-bibtex.ts';
import { readCslReference } from './read-csl-json.ts';
import { readPrintedReference } from './read-printed.ts';
import { readRisReference } from './read-ris.ts';
import type { ReadReference } from './reference.ts';

/**
 * Reads a string (BibTeX, RIS, or as printed in a bibliography) or an object (CSL-JSON or plain
 * fields). Throws UnreadableReference if it is none.
 */
export async function readReference(
  value: string | Record<string, unknown>,
  tex: TexBudget,
): Promise<ReadReference> {
  if (typeof value !== 'string') {
    return isCslItem(value) ? readCslReference(value) : readJsonReference(value);
  }
  const text = value.toWellFormed().replaceAll('\0', '\u{fffd}');
  if (/^\s*@\s*[a-z]+\s*[{(]/i.test(text)) return await readBibtexReference(text, tex);
  if (/^[ \t]*TY {1,2}- ?[A-Z]/m.test(text)) return await readRisReference(text);
  return readPrintedReference(text);
}
