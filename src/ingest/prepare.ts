/** From a source's document to what is embedded and stored. Pure. */
import { documentVector } from '../embed/document-vector.ts';
import type { IndexedDocument } from '../store/index-writer.ts';
import { splitSentences } from '../text/split-sentences.ts';
import type { Embedding, SentenceSpan, SourceDocument } from '../types.ts';

export interface DocumentLimits {
  titleCharactersMax: number;
  abstractCharactersMax: number;
  authorsMax: number;
}

/** SQLite keeps ids in an index; a longer one is no id but a mistake. */
const ID_CHARACTERS_MAX = 512;

/** What is wrong with a document, undefined where nothing is. */
export function documentProblem(
  document: SourceDocument,
  limits: DocumentLimits,
): string | undefined {
  const { id, title, abstract, authors } = document;
  if (id === '') return 'there is no id';
  if (title.trim() === '' && abstract.trim() === '') return 'there is neither title nor abstract';
  const lengths = [
    { what: 'the id', length: id.length, most: ID_CHARACTERS_MAX },
    { what: 'the title', length: title.length, most: limits.titleCharactersMax },
    { what: 'the abstract', length: abstract.length, most: limits.abstractCharactersMax },
  ];
  for (const { what, length, most } of lengths) {
    if (length > most) return `${what} has ${length} characters, at most ${most} are taken`;
  }
  if (authors.length > limits.authorsMax) {
    return `there are ${authors.length} authors, at most ${limits.authorsMax} are taken`;
  }
  return undefined;
}

/** A document with the texts to embed: the title, if there is one, then the sentences. */
export interface PreparedDocument {
  source: SourceDocument;
  hash: Buffer;
  spans: SentenceSpan[];
  texts: string[];
}

/** `spans`: the abstract's sentences where its source has told them. */
export function prepareDocument(
  source: SourceDocument,
  hash: Buffer,
  spans: SentenceSpan[] = splitSentences(source.abstract),
): PreparedDocument {
  const sentences = spans.map(({ start, end }) => source.abstract.slice(start, end));
  const texts = hasTitle(source) ? [source.title, ...sentences] : sentences;
  return { source, hash, spans, texts };
}

/** Joins a prepared document and the vectors of its texts, in their order. */
export function withVectors(
  { source, hash, spans }: PreparedDocument,
  vectors: readonly Embedding[],
): IndexedDocument {
  const title = hasTitle(source) ? vectors[0] : undefined;
  const sentences = vectors.slice(title === undefined ? 0 : 1);
  const own = documentVector(title, sentences);
  return { source, hash, spans, vectors: [own, title ?? own, ...sentences] };
}

function hasTitle(source: SourceDocument): boolean {
  return source.title.trim() !== '';
}
