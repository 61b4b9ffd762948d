/**
 * The Citation File Format (citation-file-format.github.io): the CITATION.cff of a repository of
 * software or data. If it names a paper to cite instead, that paper is the record.
 */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { yearOf } from '../json/citeproc.ts';
import { firstText, isObject, type JsonRecord, readObject, readObjects } from '../json/fields.ts';
import type { EntryContent, Format } from '../read/packed-format.ts';
import { decodeUtf8, NOT_UTF8, withoutByteOrderMark } from '../read/utf8.ts';
import { aboutOf } from '../values/about.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

/** People write these files. The parser takes seconds for a longer one. */
const FILE_BYTES_MAX = 1024 * 1024;

const VERSION = /^["']?cff-version["']?\s*:/;

export const cffFormat: Format = {
  name: 'cff',
  description: 'the Citation File Format (CITATION.cff): the work to cite',
  recognizes: ({ lines }) => lines.some((line) => VERSION.test(line)),
  async *entries(source, { lineBytesMax }) {
    const bytesMax = Math.min(lineBytesMax, FILE_BYTES_MAX);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of source.chunks()) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        const problem = `the file has more than ${bytesMax} bytes`;
        yield { line: 1, problem, reason: 'too_long' };
        return;
      }
      parts.push(chunk);
    }
    const text = decodeUtf8(Buffer.concat(parts));
    if (text === undefined) {
      yield { line: 1, problem: `the file ${NOT_UTF8}`, reason: 'malformed' };
      return;
    }
    const { yamlDocuments } = await import('../plain-text/yaml-documents.ts');
    for (const document of text.trim() === '' ? [] : yamlDocuments(withoutByteOrderMark(text))) {
      const { line } = document;
      if ('problem' in document) yield { ...document, reason: 'malformed' };
      else if (isObject(document.value)) yield { line, ...readWork(document.value) };
      else yield { line, problem: 'it has no fields', reason: 'malformed' };
    }
  },
};

function readWork(file: JsonRecord): EntryContent {
  const preferred = readObject(file, 'preferred-citation');
  const work = firstText(preferred['title']) === '' ? file : preferred;
  const named = readObjects(work, 'identifiers').find(({ type }) => type === 'doi');
  const url = firstText(work['url']);
  const identifiers = identifiersOf({
    doi: [work['doi'], named?.['value'], url].find((doi) => identifiersOf({ doi }).doi),
    arxiv: /\barxiv\.org\//i.test(url) ? url : undefined,
    pmcid: work['pmcid'],
  });
  const dates = [work['year'], work['date-published'], work['date-released'], work['issue-date']];
  return {
    document: {
      id: documentIdOf(identifiers),
      title: markupToLine(firstText(work['title'])),
      abstract: markupToAbstract(firstText(work['abstract'])),
      year: dates.map(yearOf).find((year) => year > 0) ?? 0,
      authors: readObjects(work, 'authors')
        .map(nameOf)
        .filter((name) => name !== ''),
      venue: markupToLine(
        firstText(
          ...[work['journal'], work['collection-title'], readObject(work, 'conference')['name']],
        ),
      ),
      identifiers,
      updatedAt: 0,
    },
    about: aboutOf([work['languages']].flat(), [work['type'] ?? 'software']),
  };
}

function nameOf(person: JsonRecord): string {
  const parts = ['given-names', 'name-particle', 'family-names', 'name-suffix'];
  const own = parts.map((part) => firstText(person[part])).filter((part) => part !== '');
  return own.length > 0 ? own.join(' ') : firstText(person['name'], person['alias']);
}
