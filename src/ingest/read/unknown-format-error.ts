/** The error of a file without records of a known format. */
import { VerbatimError } from '../../errors.ts';
import type { PassReason } from './input.ts';

/** Thrown if no format recognizes a file, if it is empty, or if it is a spreadsheet. */
export class UnknownFormatError extends VerbatimError {
  readonly reason: Extract<PassReason, 'empty' | 'unread_bibliography' | 'unknown_format'>;
  /** The reason in words. */
  readonly why: string;

  constructor(path: string, reason: UnknownFormatError['reason'], why: string) {
    super('unreadable_input', `cannot index ${path}: ${why}`);
    this.reason = reason;
    this.why = why;
  }
}
