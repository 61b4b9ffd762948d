/** Explains why the system could not read a file. Pure. */
import { messageOf } from '../../errors.ts';

/** The message of a failed system call, without the call and the path at its end. */
export function systemReason(error: unknown): string {
  return messageOf(error).replace(/, [a-z]+(?: '.*')?$/s, '');
}
