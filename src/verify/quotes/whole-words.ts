/** Joins tokens to what people read as one: "1,200.5", "−3", "10⁻⁵", "don't", "twenty-five", "[…]". Pure. */
import { ELLIPSIS_TOKEN, type Token } from './quote-tokens.ts';

const DIGIT_LAST = /\p{N}$/u;
const DIGIT_FIRST = /^\p{N}/u;
const THOUSANDS = /^\d{3}(?!\d)/;
const LETTERS = /^\p{L}+$/u;
const TENS = /^(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)$/i;
const ONES = /^(?:one|two|three|four|five|six|seven|eight|nine)$/i;
const BRACKETS = new Set(['[]', '()']);
/** A dash after one of these is the sign of the number that follows. */
const BEFORE_SIGN = /^[([=<>≤≥≈~±,;:]$/;

/** The tokens with such words joined, in order. The offsets are those of all their parts. */
export function wholeWords(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const [before, mark] = [joined.at(-2), joined.at(-1)];
    const isClosed = mark?.text === ELLIPSIS_TOKEN && BRACKETS.has(`${before?.text}${token.text}`);
    if (isClosed) joined.push(join(ELLIPSIS_TOKEN, [...joined.splice(-2), token]));
    else if (before?.text === '.' && mark?.text === '.' && token.text === '.') {
      joined.push(join(ELLIPSIS_TOKEN, [...joined.splice(-2), token]));
    } else {
      const parts = [...joined.splice(joined.length - partsBefore(token, mark, before)), token];
      joined.push(parts.length === 1 ? token : join(parts.map(({ text }) => text).join(''), parts));
    }
  }
  return joined;
}

/** How many tokens before a token belong to its word. */
function partsBefore(token: Token, mark: Token | undefined, before: Token | undefined): number {
  if (mark === undefined || mark.isWord || mark.end !== token.start) return 0;
  if (before?.end === mark.start && isInner(before.text, mark.text, token.text)) return 2;
  return DIGIT_FIRST.test(token.text) && isSign(mark, before) ? 1 : 0;
}

function join(text: string, parts: readonly Token[]): Token {
  const [first, last] = [parts[0], parts.at(-1)] as [Token, Token];
  return { text, isWord: text !== ELLIPSIS_TOKEN, start: first.start, end: last.end };
}

function isInner(before: string, mark: string, after: string): boolean {
  if (mark === "'") return LETTERS.test(before) && LETTERS.test(after);
  if (mark === '-') return TENS.test(before) && ONES.test(after);
  if (!DIGIT_LAST.test(before) || !DIGIT_FIRST.test(after)) return false;
  return mark === ',' ? THOUSANDS.test(after) : /^[.·⋅⁺⁻]$/.test(mark);
}

function isSign(mark: Token, before: Token | undefined): boolean {
  const isApart = before === undefined || before.end < mark.start;
  if (mark.text === '.') return isApart;
  if (mark.text !== '-') return false;
  if (before === undefined || BEFORE_SIGN.test(before.text)) return true;
  return isApart && LETTERS.test(before.text);
}
