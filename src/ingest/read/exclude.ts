/** Matches the patterns of `--exclude`. Only this file uses the library. */
import picomatch from 'picomatch';
import type { IsExcluded } from './walk-folder.ts';

/**
 * Returns whether a pattern excludes a path. As in .gitignore, a pattern without a slash matches the
 * last part of the path: `*.pdf` excludes PDF files in every folder. Other patterns match the whole
 * path. Everything below an excluded folder is excluded too.
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
