/** Finds the titles of records in the text of a printed reference, which needs no rules of any style. Pure. */
import { lettersOf } from '../../../identity/record-keys.ts';
import { mainTitle } from '../../../identity/title-keys.ts';
import { lettersIn, mainLettersIn } from './title-letters.ts';
import { type Span, sentenceEnds } from './title-spans.ts';

/** What follows a main title and has this share of the long words of the subtitle is meant to be that. */
const SUBTITLE_SHARE_MIN = 0.4;
/** A shorter title or word is in every text. */
const LETTERS_MIN = 4;
/** Runs of the same letters that are looked at, such as a word that is a title. */
const RUNS_MAX = 8;

/** The letters and digits of a text, each with its place there. */
export interface LetterMap {
  text: string;
  letters: string;
  places: readonly number[];
  sentenceEnds: readonly number[];
}

/** Maps a text once for all titles that are looked for in it. */
export function mapLetters(text: string): LetterMap {
  const places: number[] = [];
  let letters = '';
  let at = 0;
  for (const character of text) {
    const own = lettersIn(character);
    for (let each = 0; each < own.length; each++) places.push(at);
    letters += own;
    at += character.length;
  }
  return { text, letters, places, sentenceEnds: sentenceEnds(text) };
}

/**
 * Where the text has the title of a record, or its main part, between marks of punctuation. A subtitle
 * that the record lacks belongs to the title.
 */
export function findTitle(map: LetterMap, recorded: string): Span | undefined {
  const [whole, main] = [lettersIn(recorded), mainLettersIn(recorded)];
  const run = runOf(map, whole, true);
  if (run !== undefined || main === whole) return run;
  const short = runOf(map, main, false);
  if (short === undefined) return undefined;
  // A subtitle with other words is an error, not a missing one.
  const subtitle = recorded.slice(mainTitle(recorded).length);
  const next = lettersOf(map.text.slice(short.end, short.end + subtitle.length));
  const words = subtitle.split(/\s+/).map(lettersOf);
  const long = words.filter((word) => word.length >= LETTERS_MIN);
  const shared = long.filter((word) => next.includes(word)).length;
  return shared > 0 && shared >= long.length * SUBTITLE_SHARE_MIN ? undefined : short;
}

function runOf(
  { text, letters, places, sentenceEnds: ends }: LetterMap,
  title: string,
  isWhole: boolean,
): Span | undefined {
  if (title.length < LETTERS_MIN) return undefined;
  let run = letters.indexOf(title);
  for (let tried = 0; run !== -1 && tried < RUNS_MAX; tried++) {
    const start = places[run] as number;
    const last = places[run + title.length - 1] as number;
    const end = last + String.fromCodePoint(text.codePointAt(last) as number).length;
    const before = text.slice(run === 0 ? 0 : (places[run - 1] as number) + 1, start);
    const after = text.slice(end, places[run + title.length] ?? text.length);
    const beforeYear = /(?:1[6-9]|20)\d\d[a-z]?\)?\s$/.test(
      text.slice(Math.max(0, start - 8), start),
    );
    const startsThere =
      start === 0 || run === 0 || /[.,:;?!()[\]"“”„«»'‘’`]/.test(before) || beforeYear;
    const endsThere =
      run + title.length === letters.length || /[.,:;?!()[\]"“”„«»’`]|'|\s[-–—]|—/.test(after);
    const hasSubtitle = /^[”"’']?\s?(?::|[-–—]\s|—)|^\s[-–—]/.test(after);
    if (startsThere && endsThere && (isWhole || !hasSubtitle)) {
      if (!hasSubtitle) return { start, end };
      return { start, end: ends.find((each) => each > end) ?? text.length };
    }
    run = letters.indexOf(title, run + 1);
  }
  return undefined;
}
