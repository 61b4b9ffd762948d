/** References in BibTeX. */
import { VerbatimError } from '../../errors.ts';
import { bibtexVolumes, readBibtexEntry } from '../../ingest/formats/bibtex.ts';
import { readBibtexEntries } from '../../ingest/plain-text/bibtex-entries.ts';
import { loadTex, type TexBudget } from '../../ingest/values/tex.ts';
import {
  type BibtexEntry,
  escapeTex,
  verbatimTex,
  writeBibtex,
} from '../../search/papers/write-bibtex.ts';
import { type Correction, type ReadReference, UnreadableReference } from './reference.ts';
import { assertNotSeveral, LINE_BYTES_MAX, textSource } from './text-source.ts';

/** Characters of formulas and commands that are parsed in a call. Further words stay as written. */
const TEX_CHARACTERS_MAX = 1_000;
/** With each reference there may be so many more. */
const TEX_CHARACTERS_PER_REFERENCE = 60;

/** How much TeX of a call's references may be parsed. */
export function newTexBudget(): TexBudget {
  return { charactersLeft: TEX_CHARACTERS_MAX };
}

/** Throws UnreadableReference for a text that is not one entry. */
export async function readBibtexReference(text: string, tex: TexBudget): Promise<ReadReference> {
  try {
    const entry = await onlyEntryIn(text);
    await loadTex();
    tex.charactersLeft += TEX_CHARACTERS_PER_REFERENCE;
    const { title, authors, year, venue, identifiers } = readBibtexEntry(
      { ...entry, fields: withoutAbstract(entry) },
      tex,
    );
    const hasMoreAuthors = /\band\s+others\b|\bet\s+al\b/i.test(entry.fields.get('author') ?? '');
    const named = authors.filter((name) => !/^et al\.?$/i.test(name));
    return {
      format: 'bibtex',
      readings: [{ title, authors: named, hasMoreAuthors, year, venue, identifiers }],
      write: (correction) => writeBibtex({ ...entry, fields: corrected(entry, correction) }),
    };
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error;
    throw new UnreadableReference(error.message);
  }
}

async function onlyEntryIn(text: string): Promise<BibtexEntry> {
  const options = { path: 'the reference', lineBytesMax: LINE_BYTES_MAX };
  const entries: BibtexEntry[] = [];
  for await (const entry of readBibtexEntries(textSource(text).chunks(), options)) {
    if ('problem' in entry) throw new UnreadableReference(entry.problem);
    entries.push(entry);
  }
  assertNotSeveral(entries);
  const [entry] = entries;
  if (entry === undefined) throw new UnreadableReference('there is no entry in it');
  const { type } = entry;
  if (bibtexVolumes.includes(type)) throw new UnreadableReference(`@${type} is not a paper`);
  return entry;
}

/** No abstract is compared. */
function withoutAbstract({ fields }: BibtexEntry): Map<string, string> {
  return new Map([...fields].filter(([name]) => name !== 'abstract'));
}

function corrected({ type, fields }: BibtexEntry, correction: Correction): Map<string, string> {
  const changed = new Map(fields);
  const nameOf = (names: readonly string[], otherwise: string): string =>
    names.find((name) => fields.has(name)) ?? otherwise;
  const { title, authors, year, venue, identifiers } = correction;
  if (title !== undefined) {
    changed.set('title', escapeTex(title));
    changed.delete('subtitle');
  }
  if (authors !== undefined) changed.set('author', authors.map(escapeTex).join(' and '));
  if (year !== undefined) changed.set(nameOf(['year', 'date'], 'year'), String(year));
  if (venue !== undefined) {
    const usual = type === 'article' ? 'journal' : 'booktitle';
    changed.set(nameOf(['journal', 'journaltitle', 'booktitle'], usual), escapeTex(venue));
  }
  if (identifiers?.doi !== undefined) changed.set('doi', verbatimTex(identifiers.doi));
  return changed;
}
