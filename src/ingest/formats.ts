/** Lists the formats, and recognizes the format of a file. */
import { VerbatimError } from '../errors.ts';
import { aclFormat } from './formats/acl.ts';
import { arxivFormat } from './formats/arxiv.ts';
import { arxivAtomFormat } from './formats/arxiv-atom.ts';
import { arxivOaiFormat } from './formats/arxiv-oai.ts';
import { beirFormat } from './formats/beir.ts';
import { bibtexFormat } from './formats/bibtex.ts';
import { cffFormat } from './formats/cff.ts';
import { crossrefFormat } from './formats/crossref.ts';
import { crossrefXmlFormat } from './formats/crossref-xml.ts';
import { cslJsonFormat } from './formats/csl-json.ts';
import { csvFormat } from './formats/csv.ts';
import { dataciteFormat } from './formats/datacite.ts';
import { dataciteXmlFormat } from './formats/datacite-xml.ts';
import { dblpFormat } from './formats/dblp.ts';
import { doajFormat } from './formats/doaj.ts';
import { endnoteXmlFormat } from './formats/endnote-xml.ts';
import { ericFormat } from './formats/eric.ts';
import { europepmcFormat } from './formats/europepmc.ts';
import { jatsFormat } from './formats/jats.ts';
import { modsFormat } from './formats/mods.ts';
import { nbibFormat } from './formats/nbib.ts';
import { oaiDcFormat } from './formats/oai-dc.ts';
import { openalexFormat } from './formats/openalex.ts';
import { openalexMergedFormat } from './formats/openalex-merged.ts';
import { opencitationsFormat } from './formats/opencitations.ts';
import { ovidFormat } from './formats/ovid.ts';
import { pubmedFormat } from './formats/pubmed.ts';
import { referFormat } from './formats/refer.ts';
import { refworksFormat } from './formats/refworks.ts';
import { retractionWatchFormat } from './formats/retraction-watch.ts';
import { risFormat } from './formats/ris.ts';
import { s2AbstractsFormat } from './formats/s2-abstracts.ts';
import { s2ApiFormat } from './formats/s2-api.ts';
import { s2PapersFormat } from './formats/s2-papers.ts';
import { s2orcFormat } from './formats/s2orc.ts';
import { s2orcMetadataFormat } from './formats/s2orc-metadata.ts';
import { verbatimFormat } from './formats/verbatim.ts';
import { wosFormat } from './formats/wos.ts';
import { zoteroJsonFormat } from './formats/zotero-json.ts';
import { zoteroRdfFormat } from './formats/zotero-rdf.ts';
import { readHead } from './read/head.ts';
import { looksLikeBibliography } from './read/looks-like-bibliography.ts';
import type { Format, Head } from './read/packed-format.ts';
import type { ByteSource } from './read/source.ts';
import { UnknownFormatError } from './read/unknown-format-error.ts';

/**
 * In the order in which they are tried, from specific to general. XML comes first, because its root
 * element identifies it. `verbatim` is the last JSON format, because it accepts any record with an
 * id and a title. Tables come last, because a line of any text may contain two column names.
 */
export const formats: readonly Format[] = [
  ...[
    pubmedFormat,
    jatsFormat,
    arxivOaiFormat,
    arxivAtomFormat,
    oaiDcFormat,
    aclFormat,
    dblpFormat,
    endnoteXmlFormat,
    modsFormat,
    dataciteXmlFormat,
    crossrefXmlFormat,
    zoteroRdfFormat,
  ],
  ...[
    europepmcFormat,
    openalexFormat,
    s2orcFormat,
    s2orcMetadataFormat,
    s2PapersFormat,
    s2AbstractsFormat,
    s2ApiFormat,
    arxivFormat,
  ],
  ...[dataciteFormat, doajFormat, crossrefFormat, beirFormat],
  ...[zoteroJsonFormat, cslJsonFormat, verbatimFormat],
  ...[nbibFormat, ericFormat, ovidFormat, wosFormat, risFormat, refworksFormat],
  ...[cffFormat, bibtexFormat, referFormat],
  ...[openalexMergedFormat, retractionWatchFormat, opencitationsFormat, csvFormat],
];

/** The format with this name. Throws `usage` with the known names. */
export function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  const known = formats.map((candidate) => candidate.name).join(', ');
  throw new VerbatimError('usage', `there is no format "${name}"; known are ${known}`);
}

/**
 * The format of a file. Throws UnknownFormatError if no format recognizes it, or the read error if
 * the file breaks off too early to tell.
 */
export async function recognizeFormat(source: ByteSource): Promise<Format> {
  const head = await readHead(source);
  const recognized = formats.filter((candidate) => candidate.recognizes(head));
  const format = firstOfMany(recognized, head);
  if (format !== undefined) return format;
  if (head.failure !== undefined) throw head.failure;
  throw unknownFormat(source.path, head.text);
}

/**
 * The first of the formats, unless it recognizes less than half as many records as another. A damaged
 * record may look like one of another format.
 */
function firstOfMany(recognized: readonly Format[], head: Head): Format | undefined {
  const counts = recognized.map((format) => format.countRecognized?.(head) ?? 0);
  const enough = Math.max(...counts) / 2;
  return recognized.find((format, at) => {
    return format.countRecognized === undefined || (counts[at] as number) >= enough;
  });
}

/** A message listing the formats. */
export function knownFormats(): string {
  const names = formats.map(({ name }) => name).sort();
  return `formats known: ${names.join(', ')}; --format NAME forces one`;
}

function unknownFormat(path: string, text: string): UnknownFormatError {
  if (text.trim() === '') return new UnknownFormatError(path, 'empty', 'it is empty');
  if (text.startsWith('%PDF-')) {
    const why = 'it is a PDF file; export its record from a reference manager or a database';
    return new UnknownFormatError(path, 'unknown_format', why);
  }
  const why = text.includes('\0')
    ? 'it is not text in UTF-8, or in UTF-16 with a byte order mark'
    : 'no format recognizes it';
  return looksLikeBibliography(path, text)
    ? new UnknownFormatError(
        path,
        'unread_bibliography',
        `it looks like a bibliography, but ${why}`,
      )
    : new UnknownFormatError(path, 'unknown_format', why);
}
