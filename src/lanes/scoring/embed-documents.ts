/** Embeds the documents of lanes, with a cache, because popular papers come with many questions. */
import { contentHash } from '../../identity/record-hash.ts';
import type { QuantizedUnit } from '../../index/dense/embeddings.ts';
import type { IndexedDocument } from '../../index/documents/make-change.ts';
import { prepareDocument, withVectors } from '../../ingest/prepare.ts';
import type { Embedding, SentenceSpan, SourceDocument } from '../../types.ts';

/** A document whose source may have given its sentence boundaries. */
export interface SplitDocument extends SourceDocument {
  sentences: readonly SentenceSpan[] | undefined;
}

export type EmbeddedDocument<Source> = IndexedDocument & { source: Source };

export interface EmbedOptions {
  /** Titles and sentences to embed at most. Cached ones do not count. */
  textsMax: number;
  /** When to stop, in milliseconds since 1970. */
  until: number;
  /** Vectors that exist already, by their texts. */
  known?: ReadonlyMap<string, QuantizedUnit>;
}

/** Embeds the documents in order, as many as the limits allow. */
export type EmbedDocuments = <Source extends SplitDocument>(
  documents: readonly Source[],
  options: EmbedOptions,
) => Promise<EmbeddedDocument<Source>[]>;

/** `embed` returns one vector for each text. `cachedMax` counts documents. */
export function createEmbedDocuments(
  embed: (texts: readonly string[]) => Promise<Embedding[]>,
  { cachedMax }: { cachedMax: number },
): EmbedDocuments {
  // A Map iterates in insertion order, so its first entry is the least recently used.
  const cached = new Map<string, IndexedDocument>();
  return async (documents, { textsMax, until, known }) => {
    const embedded: EmbeddedDocument<(typeof documents)[number]>[] = [];
    let texts = 0;
    for (const source of documents) {
      const hash = contentHash(source);
      const spans = source.sentences === undefined ? undefined : [...source.sentences];
      const name = `${hash.toString('hex')} ${JSON.stringify(spans)}`;
      let document = cached.get(name);
      if (document === undefined) {
        if (Date.now() >= until) break;
        const prepared = prepareDocument(source, { spans, known });
        // A long document must not keep out the ones after it.
        if (texts + prepared.texts.length > textsMax) continue;
        texts += prepared.texts.length;
        document = withVectors(prepared, await embed(prepared.texts));
      }
      cached.delete(name);
      cached.set(name, document);
      const [oldest] = cached.keys();
      if (cached.size > cachedMax && oldest !== undefined) cached.delete(oldest);
      embedded.push({ ...document, source });
    }
    return embedded;
  };
}
