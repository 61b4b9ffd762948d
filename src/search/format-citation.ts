/** One line that cites a paper, ready to be printed in a list of references. Pure. */
import type { SourceDocument } from '../types.ts';

/** More authors than this are "et al.". */
const AUTHORS_MAX = 3;

/**
 * Returns authors, year, title, venue, and the address or else the id, as far as they are known:
 * `A. Berg, B. Dahl (1998). Tides. Shore. https://doi.org/10.5555/tides`.
 */
export function formatCitation(
  { id, title, year, authors, venue }: Omit<SourceDocument, 'abstract'>,
  address: string | undefined,
): string {
  const named = authors.slice(0, AUTHORS_MAX).join(', ');
  const who = authors.length > AUTHORS_MAX ? `${named}, et al.` : named;
  const when = `(${year === 0 ? 'n.d.' : year})`;
  const titleLine = onOneLine(title);
  const parts =
    who === '' ? [sentence(`${titleLine} ${when}`)] : [`${who} ${when}.`, sentence(titleLine)];
  return onOneLine([...parts, sentence(onOneLine(venue)), address ?? id].join(' '));
}

/** Ends a text with a full stop, unless it has an end of its own. */
function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
