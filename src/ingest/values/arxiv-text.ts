/** Reads texts and names as arXiv writes them. Pure. */
import { texToText } from './tex.ts';

/**
 * Joins arXiv's lines of about 80 characters. An indented line, or one after an empty line, starts a
 * paragraph. Other line breaks become blanks.
 */
export function arxivText(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n|\n(?=[ \t]{2})/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/**
 * Splits names: "K. G\"odel (1), A. Berg, Jr. and the Foo Collaboration ((1) Vienna)". Parentheses
 * hold affiliations.
 */
export function arxivAuthors(text: string): string[] {
  const names: string[] = [];
  const parts = withoutBrackets(text)
    .replace(/\s+/g, ' ')
    .split(/,\s*and\s+|\s+and\s+|\s*[,;]\s*|\s+&\s+|(?<=collaboration)s?\s*:\s*/i);
  for (const part of parts) {
    const name = texToText(part).replace(/\s+/g, ' ').trim();
    const last = names.length - 1;
    if (name === '' || name === 'et al.' || name === 'et al') continue;
    if (last >= 0 && /^(?:jr|sr|II|III|IV)\.?$/i.test(name)) names[last] += ` ${name}`;
    else names.push(name);
  }
  return names;
}

/** Works in one pass at any nesting. An unclosed parenthesis hides the rest. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let kept = '';
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}
