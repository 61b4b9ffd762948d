/** Messages about files that are not read. */
import { messageOf } from '../../errors.ts';
import { knownFormats } from '../../ingest/formats.ts';
import type { PassedOver, PassReason } from '../../ingest/read/input.ts';
import { UnknownFormatError } from '../../ingest/read/unknown-format-error.ts';
import { printable } from '../cli/output.ts';

export interface InputMessages {
  passedOver(input: PassedOver): void;
  /** The error names the file. */
  fileFailed(error: unknown): void;
}

/** Names the first `shownMax` passed-over files, and every file that failed. */
export function createInputMessages(
  say: (message: string) => void,
  shownMax: number,
): InputMessages {
  let passedOver = 0;
  let areFormatsListed = false;
  const listFormats = (reason: PassReason): void => {
    if (reason !== 'unknown_format' && reason !== 'unread_bibliography') return;
    if (!areFormatsListed) say(knownFormats());
    areFormatsListed = true;
  };
  return {
    passedOver({ path, why, passedOver: reason }) {
      passedOver++;
      if (passedOver <= shownMax) {
        say(printable(`passing over ${path}: ${why}`));
        listFormats(reason);
      } else if (passedOver === shownMax + 1) {
        say('further files that are passed over are only counted');
      }
    },
    fileFailed(error) {
      say(printable(messageOf(error)));
      if (error instanceof UnknownFormatError) listFormats(error.reason);
    },
  };
}
