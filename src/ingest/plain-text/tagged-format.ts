/** Creates the formats whose records are tagged lines. */
import type { EntryContent, Format } from '../read/packed-format.ts';
import { withoutMarkup } from '../values/markup.ts';
import { readTaggedRecords, type TaggedOptions } from './tagged-records.ts';

export interface TaggedFormat
  extends Pick<Format, 'name' | 'description' | 'recognizes'>,
    Omit<TaggedOptions, 'lineBytesMax'> {
  read(values: TaggedValues): EntryContent;
}

/** The values of a record, without markup and blank ones. */
export interface TaggedValues {
  /** All values of the tags, in the order of the tags. */
  all(...tags: string[]): string[];
  /** The first value of the tags; '' without one. */
  first(...tags: string[]): string;
}

/** Creates a format from the mapping of one record. */
export function taggedFormat({
  name,
  description,
  recognizes,
  read,
  ...options
}: TaggedFormat): Format {
  return {
    name,
    description,
    recognizes,
    async *entries(source, limits) {
      for await (const record of readTaggedRecords(source.chunks(), { ...options, ...limits })) {
        if ('problem' in record) {
          yield record;
          continue;
        }
        const all = (...tags: string[]): string[] =>
          tags
            .flatMap((tag) => record.fields.get(tag) ?? [])
            .map((value) => withoutMarkup(value).trim())
            .filter((value) => value !== '');
        const first = (...tags: string[]): string => all(...tags)[0] ?? '';
        yield { line: record.line, ...read({ all, first }) };
      }
    },
  };
}
