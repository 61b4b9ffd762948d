/**
 * The names of sources as customers write them in a filter. The sources of tables and personal
 * bibliographies have the names that the operator gave them, which are their files' by default.
 */
import { personalSource, type Source } from './kept-record.ts';

/** The index stores a place of this list as a bit, so new sources come last. At most 32. */
const sources = [
  ...(['openalex', 'arxiv', 's2', 's2orc', 'doi', 'pmid', 'pmcid', 'acl'] as const),
  ...(['europepmc', 'oai-dc', 'dblp', 'doaj', '', 'eric'] as const),
] as const satisfies readonly Source[];

const nameOf: Readonly<Record<(typeof sources)[number], string>> = {
  openalex: 'openalex',
  arxiv: 'arxiv',
  s2: 'semantic_scholar',
  s2orc: 's2orc',
  doi: 'doi',
  pmid: 'pubmed',
  pmcid: 'pmc',
  acl: 'acl',
  europepmc: 'europepmc',
  'oai-dc': 'oai_dc',
  dblp: 'dblp',
  doaj: 'doaj',
  '': 'verbatim',
  eric: 'eric',
};

/** Returns the bit of a source; 0 for a table, a personal bibliography, and a source of supplements. */
export function sourceBit(source: Source): number {
  const place = (sources as readonly Source[]).indexOf(source);
  return place === -1 ? 0 : (1 << place) >>> 0;
}

/** Returns the names of the sources whose bits are set, without that of Verbatim's own format. */
export function sourceNamesOf(bits: number): string[] {
  return sources
    .filter((source) => source !== '' && (bits & sourceBit(source)) !== 0)
    .map((source) => nameOf[source]);
}

export interface NamedSources {
  bits: number;
  /** Tables and personal bibliographies. */
  personal: Source[];
}

/** Returns the sources that the names mean. A name that no source has means none. */
export function sourcesNamed(names: readonly string[]): NamedSources {
  let bits = 0;
  for (const source of sources) {
    if (names.includes(nameOf[source])) bits = (bits | sourceBit(source)) >>> 0;
  }
  return { bits, personal: names.map((name) => personalSource(name)) };
}

/** The names of the sources that every index may have, for the documentation. */
export const sourceNames: readonly string[] = sources.map((source) => nameOf[source]);
