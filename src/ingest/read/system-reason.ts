/** Why the system refused to read a file. Pure. */
import { messageOf } from '../../errors.ts';

/**
 * The message of a failed system call without the call and its path at the end: whoever prints it
 * names the file.
 */
export function systemReason(error: unknown): string {
  return messageOf(error).replace(/, [a-z]+(?: '.*')?$/s, '');
}
