/**
 * Documents with the vectors of their texts, for those that come one by one and often again: what
 * lanes return. Vectors of late are remembered.
 */
import { contentHash } from '../../identity/kept-record.ts';
import { prepareDocument, withVectors } from '../../ingest/prepare.ts';
import type { PackedUnit } from '../../store/index/dense/embeddings.ts';
import type { IndexedDocument } from '../../store/index/documents/index-writer.ts';
import type { Embedding, SentenceSpan, SourceDocument } from '../../types.ts';

/** A document whose source may have told its sentences. */
export interface SplitDocument extends SourceDocument {
  sentences: readonly SentenceSpan[] | undefined;
}

export type EmbeddedDocument<Source> = IndexedDocument & { source: Source };

export interface EmbedOptions {
  /** Texts, titles and sentences, that are embedded; remembered ones do not count. */
  textsMax: number;
  /** When to stop, in milliseconds since 1970. */
  until: number;
  /** Vectors that need not be made, by their texts. */
  known?: ReadonlyMap<string, PackedUnit>;
}

/** Embeds the documents in their order, those for which the limits leave room. */
export type EmbedDocuments = <Source extends SplitDocument>(
  documents: readonly Source[],
  options: EmbedOptions,
) => Promise<EmbeddedDocument<Source>[]>;

/** `embed`: one vector a text. `rememberedMax`: documents. */
export function createEmbedDocuments(
  embed: (texts: readonly string[]) => Promise<Embedding[]>,
  { rememberedMax }: { rememberedMax: number },
): EmbedDocuments {
  // A Map iterates in the order of insertion, so its first entry was used longest ago.
  const remembered = new Map<string, IndexedDocument>();
  return async (documents, { textsMax, until, known }) => {
    const embedded: EmbeddedDocument<(typeof documents)[number]>[] = [];
    let texts = 0;
    for (const source of documents) {
      const hash = contentHash(source);
      const spans = source.sentences === undefined ? undefined : [...source.sentences];
      const name = `${hash.toString('hex')} ${JSON.stringify(spans)}`;
      let document = remembered.get(name);
      if (document === undefined) {
        if (Date.now() >= until) break;
        const prepared = prepareDocument(source, { spans, known });
        // One that is too long must not keep out those behind it.
        if (texts + prepared.texts.length > textsMax) continue;
        texts += prepared.texts.length;
        document = withVectors(prepared, await embed(prepared.texts));
      }
      remembered.delete(name);
      remembered.set(name, document);
      const [oldest] = remembered.keys();
      if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
      embedded.push({ ...document, source });
    }
    return embedded;
  };
}
