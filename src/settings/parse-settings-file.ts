/**
 * The format of a settings file: one NAME=value a line, comments on lines of their own. It is the
 * part of systemd's EnvironmentFile= (systemd.exec(5)) that systemd, `docker run --env-file`, and
 * people read alike: no escapes, no continued lines, nothing expanded. Pure.
 */
import { VerbatimError } from '../errors.ts';

/** A line that sets something. */
export interface FileEntry {
  name: string;
  text: string;
  /** From 1. */
  line: number;
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = /^\u{feff}/u;
/** A tab may stand between words. */
const CONTROL = /[^\P{Cc}\t]/u;
/** A name that is longer is shown without its end. */
const NAME_CHARACTERS_SHOWN = 60;

/**
 * Returns what the file sets, in the order of its lines. `path` is what errors call the file. Throws
 * `usage` with file and line. No message has a value or a whole line, because it may be secret.
 */
export function parseSettingsFile(bytes: Uint8Array, path: string): FileEntry[] {
  const entries: FileEntry[] = [];
  for (const [index, lineBytes] of linesOf(bytes).entries()) {
    const line = index + 1;
    const entry = parseLine(lineBytes, line, (message) => {
      throw new VerbatimError('usage', `${path}:${line}: ${message}`);
    });
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

type Refuse = (message: string) => never;

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end));
    start = end < 0 ? bytes.length + 1 : end + 1;
  }
  return lines;
}

/** Returns undefined for a blank line and a comment. */
function parseLine(bytes: Uint8Array, line: number, refuse: Refuse): FileEntry | undefined {
  const text = decode(bytes, refuse).replace(BYTE_ORDER_MARK, '').trim();
  if (text === '' || text.startsWith('#')) return undefined;
  const [, before = '', after] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  if (after === undefined) return refuse('this line is not NAME=value, a comment, or blank');
  const name = before.trimEnd();
  if (/^export\s/.test(name)) return refuse(`leave out "export": ${shown(name.slice(6))}=...`);
  if (!/^\w+$/.test(name)) return refuse(`"${shown(name)}" is not a name of a setting`);
  return { name, text: unquote(after.trim(), refuse), line };
}

function decode(bytes: Uint8Array, refuse: Refuse): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('this line is not UTF-8');
  }
  // A line may end as on Windows.
  const line = text.replace(/\r$/, '');
  return CONTROL.test(line) ? refuse('this line has a control character') : line;
}

/** Takes off one pair of quotes. What programs read in different ways is refused. */
function unquote(value: string, refuse: Refuse): string {
  const [quote = ''] = value;
  if (quote === '"' || quote === "'") {
    const inner = value.slice(1, -1);
    if (value.length < 2 || !value.endsWith(quote) || inner.includes(quote)) {
      return refuse(`the quotes of this value do not match`);
    }
    if (quote === '"' && inner.includes('\\')) {
      return refuse('a value with a backslash needs single quotes');
    }
    return inner.trim();
  }
  if (/\s#/.test(value)) {
    return refuse('a comment needs a line of its own, and a value with " #" needs quotes');
  }
  if (/["'\\]/.test(value)) {
    return refuse('a value with quotes or a backslash needs quotes around all of it');
  }
  return value;
}

function shown(name: string): string {
  const text = name.trim();
  return text.length > NAME_CHARACTERS_SHOWN ? `${text.slice(0, NAME_CHARACTERS_SHOWN)}...` : text;
}
