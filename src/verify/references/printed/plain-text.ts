/** The plain text of a reference that was copied from a page, a manuscript, or a chat. Pure. */

/** The marks that chats and Markdown put before a reference: "[1]", "(1)", "1.", "1)", "[^1]:", "^1^", "- ". */
const LIST_MARK =
  /^(?:[\s>#]+|[-*+•●▪◦–—]\s|#'|\\bibitem(?:\[[^\]]{0,99}\])?\{[^}]{0,99}\}|\\?\[\^?[\p{L}\p{N}+:_ -]{1,40}\\?\](?!\():?|\^\[?\d{1,4}\]?\^:?|\(\d{1,3}\)\s|\d{1,4}\\?[.)]\s+(?=\D|\d{1,2}\D))+/u;

/** Marks of direction, zero-width spaces, soft hyphens, and control characters. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
};

/** The text in one line without markup, list marks, footnote marks, and invisible characters. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(/(\p{Ll})-[ \t]*\r?\n[ \t]*(?=\p{Ll})/gu, '$1-')
    .replace(/\s+/g, ' ')
    .replace(LIST_MARK, '')
    .replace(/<\/?(?:i|b|em|strong|sup|sub|span|a|cite|u)\b[^<>]{0,200}>/gi, '')
    .replace(/&(amp|quot|apos|nbsp|ndash|mdash);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(
      /\[([^[\]]{0,1000})\]\(<?([^()\s]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)>?\)/g,
      linked,
    )
    .replace(/<(https?:[^<>\s]{1,500})>/g, '$1')
    .replace(/\\(?:emph|textit|textbf|textsc|url|newblock)\b|\\(?=[[\]_*&.#%$-])/g, '')
    .replace(/\*{1,3}|~~|`(?!`)|(?<![\p{L}\p{N}/._-])_{1,2}|_{1,2}(?![\p{L}\p{N}/_-])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A Markdown link whose text is its address, or a part of it, is that address. */
function linked(_: string, text: string, address: string): string {
  return address.includes(text.trim()) ? address : `${text} ${address}`;
}
