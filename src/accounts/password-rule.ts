/**
 * The rules for passwords. Length protects against guessing, measured after removing what everyone
 * tries first. There is no rule about kinds of characters. Pure.
 */
import { VerbatimError } from '../errors.ts';

const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 256;
/** The characters that must remain after the well-known parts are removed. */
const OWN_CHARACTERS_MIN = 6;
/** Shorter runs of a keyboard row, an alphabet or one character occur in many words. */
const RUN_MIN = 3;

/** Common words of guessed passwords, our own list. */
const COMMON_WORDS = [
  ...['password', 'passwort', 'passphrase', 'passcode', 'pass', 'welcome', 'willkommen', 'hello'],
  ...['letmein', 'openup', 'login', 'signin', 'account', 'admin', 'administrator', 'root', 'user'],
  ...['guest', 'test', 'demo', 'default', 'change', 'changeme', 'secret', 'private', 'master'],
  ...['iloveyou', 'love', 'dragon', 'monkey', 'shadow', 'sunshine', 'princess', 'football'],
  ...['baseball', 'superman', 'batman', 'starwars', 'pokemon', 'summer', 'winter', 'spring'],
  ...['autumn', 'january', 'monday', 'computer', 'internet', 'research', 'science', 'verbatim'],
  ...['correcthorsebatterystaple', 'trustno', 'whatever', 'nothing', 'please', 'the', 'my', 'is'],
];

const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop'],
  ...['asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn'],
];

const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Throws `weak_password` with advice. */
export function assertStrong(password: string, email: string): void {
  const length = [...password].length;
  if (length < CHARACTERS_MIN) {
    throw weak(`a password needs at least ${CHARACTERS_MIN} characters; this one has ${length}`);
  }
  if (length > CHARACTERS_MAX)
    throw weak(`a password may have at most ${CHARACTERS_MAX} characters`);
  const own = ownCharacters(password, email);
  if (own < OWN_CHARACTERS_MIN) {
    throw weak(
      'this password is easy to guess: too little remains without your address, common words, ' +
        'keyboard rows and repetitions; use a few unrelated words instead',
    );
  }
}

function weak(message: string): VerbatimError {
  return new VerbatimError('weak_password', message);
}

/** Counts the different characters that remain without the well-known parts. */
function ownCharacters(password: string, email: string): number {
  const plain = password.toLowerCase();
  const known = [...partsOf(email), ...COMMON_WORDS].sort((a, b) => b.length - a.length);
  const without = (text: string): string => {
    let rest = text;
    for (const part of known) rest = rest.replaceAll(part, ' ');
    return removeRuns(rest).replace(/\b(19|20)\d\d\b/g, ' ');
  };
  const left = [without(plain), without(undisguise(plain))];
  return Math.min(...left.map((text) => new Set(text.replace(/\s/g, '')).size));
}

/** Returns the address and its words. */
function partsOf(email: string): string[] {
  const address = email.toLowerCase();
  return [address, ...address.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length >= RUN_MIN);
}

function undisguise(text: string): string {
  return text.replace(/[0-9@$!]/g, (character) => DISGUISES[character] ?? character);
}

/** Removes runs along a row, in either direction, and repetitions of one character. */
function removeRuns(text: string): string {
  const characters = [...text];
  const isStep = (index: number): boolean => {
    const pair = `${characters[index - 1]}${characters[index]}`;
    const backwards = `${characters[index]}${characters[index - 1]}`;
    if (characters[index - 1] === characters[index]) return true;
    return ROWS.some((row) => row.includes(pair) || row.includes(backwards));
  };
  let left = '';
  for (let start = 0; start < characters.length; ) {
    let end = start + 1;
    while (end < characters.length && isStep(end)) end++;
    left += end - start >= RUN_MIN ? ' ' : characters.slice(start, end).join('');
    start = end;
  }
  return left;
}
