/** Reads a manuscript with its bibliography, or a bibliography alone. */
import { messageOf, VerbatimError } from '../../errors.ts';
import { readHead } from '../../ingest/read/head.ts';
import { type ByteSource, openSource } from '../../ingest/read/source.ts';
import { loadTex } from '../../ingest/values/tex.ts';
import { isReferenceFormat, type NamedReference, readReferences } from '../references/read-file.ts';
import { textSource } from '../references/text-source.ts';
import { findQuotes } from './find-quotes.ts';
import type { Manuscript, ManuscriptPart } from './manuscript.ts';
import { prepareText } from './marks.ts';
import { pathBeside, readWhole } from './read-manuscript-file.ts';
import { hasReferenceList, readProse, readProseQuote } from './read-prose.ts';
import { EVERYTHING, readTex, readTexQuote } from './read-tex.ts';

interface ManuscriptLimits {
  lineBytesMax: number;
  manuscriptBytesMax: number;
  manuscriptFilesMax: number;
}

/** How the text of a manuscript is read. */
interface Reader {
  read: (text: string) => ManuscriptPart;
  readQuote: (quote: string) => string;
}

const tex: Reader = { read: readTex, readQuote: readTexQuote };
const prose: Reader = { read: readProse, readQuote: readProseQuote };

const PROSE_NAME = /\.(?:md|markdown|qmd|rmd)$/i;
const TEX_NAME = /\.(?:tex|latex|ltx)$/i;
const TEX = /\\(?:documentclass|begin\{document\}|section\{|cite[a-z]*[[{])/;

/**
 * Reads Markdown, TeX, or plain text with a list of references; or BibTeX, RIS, CSL-JSON, or plain text with
 * one reference in a line. `-` is standard input. Throws `unreadable_input` if the file is missing, too long,
 * or has neither references nor quotes.
 */
export async function readManuscript(path: string, limits: ManuscriptLimits): Promise<Manuscript> {
  const source = await openSource(path);
  const manuscript = await readSource(source, limits);
  const { references, quotes, unread } = manuscript;
  if (references.length + quotes.length > 0) return manuscript;
  const details = unread.map((reason) => `; ${reason}`).join('');
  const message = `there are no references in ${source.path}${details}`;
  throw new VerbatimError('unreadable_input', message);
}

async function readSource(source: ByteSource, limits: ManuscriptLimits): Promise<Manuscript> {
  const isNamed = [PROSE_NAME, TEX_NAME].some((name) => name.test(source.path));
  const head = await readHead(source);
  if (!isNamed && isReferenceFormat(head)) {
    return listOf(source, await readReferences(source, limits));
  }
  const text = prepareText(await readWhole(source, limits.manuscriptBytesMax));
  const isTex = TEX_NAME.test(source.path) || (!isNamed && TEX.test(head.text));
  if (!isNamed && !isTex && !hasReferenceList(text)) {
    return listOf(source, await readReferences(textSource(text), limits));
  }
  await loadTex();
  return readText(source, text, isTex ? tex : prose, limits);
}

function listOf({ path: file }: ByteSource, references: readonly NamedReference[]): Manuscript {
  return { references: references.map((one) => ({ ...one, file })), quotes: [], unread: [] };
}

async function readText(
  { path }: ByteSource,
  text: string,
  { read, readQuote }: Reader,
  limits: ManuscriptLimits,
): Promise<Manuscript> {
  const first = { file: path, ...read(text) };
  const unread: string[] = [];
  /** Reads the files that the manuscript names, and notes those that cannot be read. */
  const readNamed = async <Result>(
    names: readonly string[],
    extension: string,
    readOne: (source: ByteSource) => Promise<Result>,
  ): Promise<Result[]> => {
    const results: Result[] = [];
    const distinct = [...new Set(names)];
    for (const name of distinct.slice(0, limits.manuscriptFilesMax)) {
      try {
        results.push(await readOne(await openSource(pathBeside(path, name, extension))));
      } catch (error) {
        if (!(error instanceof VerbatimError)) throw error;
        unread.push(messageOf(error));
      }
    }
    const left = distinct.length - limits.manuscriptFilesMax;
    if (left > 0) unread.push(`${left} more files of ${path} are not read`);
    return results;
  };
  const included = await readNamed(first.included, '.tex', async (source) => {
    const whole = prepareText(await readWhole(source, limits.manuscriptBytesMax));
    return { file: source.path, ...read(whole) };
  });
  const parts = [first, ...included];
  const own = parts.flatMap(({ file, references }) => references.map((one) => ({ ...one, file })));
  const bibliographies = parts.flatMap((part) => part.bibliographies);
  const listed = await readNamed(bibliographies, '.bib', async (source) =>
    (await readReferences(source, limits)).map((one) => ({ ...one, file: source.path })),
  );
  const cited = new Set(parts.flatMap((part) => [...part.cited]));
  const quotes = parts.flatMap((part) =>
    findQuotes(part.text).map(({ quote, ...rest }) => ({
      ...rest,
      quote: readQuote(quote),
      file: part.file,
    })),
  );
  return { references: [...own, ...citedOf(listed.flat(), cited)], quotes, unread };
}

/** The references of a bibliography that are cited; all of them if none is. */
function citedOf<Listed extends NamedReference>(
  listed: readonly Listed[],
  cited: ReadonlySet<string>,
): Listed[] {
  if (cited.size === 0 || cited.has(EVERYTHING)) return [...listed];
  const names = new Set(listed.map(({ name }) => name));
  // An entry that cannot be read may be the one that is missing.
  const isMissing = [...cited].some((key) => !names.has(key));
  return listed.filter((one) => cited.has(one.name) || (isMissing && 'problem' in one));
}
