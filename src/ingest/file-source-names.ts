/** Names tables and bibliographies, so that an edited file is recognized. */
import { resolve, sep } from 'node:path';
import { VerbatimError } from '../errors.ts';
import { type Input, type InputFile, isFile } from './read/input.ts';
import { STANDARD_INPUT } from './read/source.ts';

const COMPRESSED = /\.(?:gz|zstd?|bz2|xz)$/i;

/** Limit for a name given by the operator, which becomes the prefix of ids. */
const GIVEN_CHARACTERS_MAX = 100;

/** About the longest file name. Longer names with folders are cut at the front. */
const CHARACTERS_MAX = 255;

/**
 * The name of each file: its base name without the suffix of compression. If several files share
 * it, as many folders are prefixed as tell them apart.
 */
export function sourceNames(paths: readonly string[]): string[] {
  const names: string[] = [];
  const parts = paths.map((path) => resolve(path).replace(COMPRESSED, '').split(sep));
  const nameAt = (at: number, depth: number): string => (parts[at] ?? []).slice(-depth).join(':');
  let shared = [...parts.keys()];
  for (let depth = 1; shared.length > 0; depth++) {
    const pathsOf = new Map<string, Set<string>>();
    for (const at of shared) {
      const name = nameAt(at, depth);
      const known = pathsOf.get(name) ?? new Set();
      pathsOf.set(name, known.add((parts[at] ?? []).join(sep)));
    }
    shared = shared.filter((at) => {
      const name = nameAt(at, depth);
      names[at] = asName(name).slice(-CHARACTERS_MAX);
      return pathsOf.get(name)?.size !== 1;
    });
  }
  return names;
}

/** Returns the name of a file. */
export type SourceNaming = (input: InputFile) => string;

/** `sourceName`: one name for all files. */
export function nameSources(files: readonly Input[], sourceName: string | undefined): SourceNaming {
  if (sourceName !== undefined) return () => sourceName;
  const inputs = files.filter(isFile);
  const names = sourceNames(
    inputs.map(({ path }) => (path === STANDARD_INPUT ? 'standard-input' : path)),
  );
  const known = new Map(inputs.map((input, at) => [input, names[at] as string]));
  return (input) => known.get(input) ?? input.path;
}

/** Parses `--source`. Throws `usage` for an invalid name. */
export function parseSourceName(text: string): string {
  const name = asName(text);
  if (name !== '' && text.length <= GIVEN_CHARACTERS_MAX && !/[/\\:\p{Cc}]/u.test(name))
    return name;
  throw new VerbatimError(
    'usage',
    `--source must be a name of at most ${GIVEN_CHARACTERS_MAX} characters without slashes and colons, ` +
      `not ${JSON.stringify(text.slice(0, GIVEN_CHARACTERS_MAX))}`,
  );
}

function asName(text: string): string {
  return text.trim().replace(/\s+/g, '-');
}
