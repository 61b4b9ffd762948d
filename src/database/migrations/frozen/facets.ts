/**
 * The facets of documents, as step 17 writes them. A frozen copy: it never changes, also where
 * today's code in src/index/facets/ does, because the steps after it expect exactly these.
 */
import { hash } from 'node:crypto';

/** Documents in a block, and the bytes of the facets of each. */
export const BLOCK_DOCUMENTS = 1024;
const FACET_BYTES = 12;

const EXISTS = 1;
const HAS_ABSTRACT = 2;

/** Sources by their bits. Tables and personal bibliographies have none. */
const SOURCES = [
  ...['openalex', 'arxiv', 's2', 's2orc', 'doi', 'pmid', 'pmcid', 'acl', 'europepmc'],
  ...['oai-dc', 'dblp', 'doaj', ''],
];

export interface FacetsFrom {
  number: number;
  year: number;
  venue: string;
  /** 0 or 1. */
  hasAbstract: number;
  sources: readonly string[];
}

/** Packs the facets of documents, all of one block. */
export function packBlock(documents: readonly FacetsFrom[]): Buffer {
  const packed = Buffer.alloc(BLOCK_DOCUMENTS * FACET_BYTES);
  for (const { number, year, venue, hasAbstract, sources } of documents) {
    const at = (number % BLOCK_DOCUMENTS) * FACET_BYTES;
    packed.writeUInt16LE(year, at);
    packed.writeUInt8(EXISTS + hasAbstract * HAS_ABSTRACT, at + 3);
    packed.writeUInt32LE(venueKey(venue), at + 4);
    packed.writeUInt32LE(bitsOf(sources), at + 8);
  }
  return packed;
}

function bitsOf(sources: readonly string[]): number {
  const places = new Set(sources.map((source) => SOURCES.indexOf(source)));
  places.delete(-1);
  return [...places].reduce((bits, place) => bits + 2 ** place, 0);
}

function venueKey(venue: string): number {
  const letters = venue
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return letters === '' ? 0 : hash('sha1', letters, 'buffer').readUInt32LE(0) || 1;
}
