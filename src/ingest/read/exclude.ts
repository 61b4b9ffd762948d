/** The patterns of `--exclude`. The only file that knows the library that matches them. */
import picomatch from 'picomatch';
import type { IsExcluded } from './walk-folder.ts';

/**
 * Whether one of the patterns excludes a path. A pattern without a slash is compared with the last
 * part of the path, as in .gitignore: `*.pdf` excludes these in every folder. Any other is compared
 * with the whole path. What is below an excluded folder is excluded too.
 */
export function excluding(patterns: readonly string[]): IsExcluded {
  const matchers = patterns.map((pattern) => {
    const own = pattern.replace(/^\.\//, '').replace(/\/$/, '');
    const isMatch = picomatch(own, { dot: true });
    return own.includes('/') ? isMatch : (path: string) => isMatch(lastPart(path));
  });
  return (path) => matchers.some((isMatch) => isMatch(path));
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
