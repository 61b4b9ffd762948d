/** Compares a password with its hash, for a try that was counted before. */
import type { PasswordHasher, Queue } from './password-hash.ts';

export interface PasswordTry {
  password: string;
  /** null: nobody's. The same work is done. */
  passwordHash: string | null;
  queue: Queue;
  /** Returns the try that was counted before the hash. Counting first prevents parallel guesses. */
  giveBack: () => Promise<void>;
}

/** Resolves to whether the password is right. The try stays counted, unless nothing was learned. */
export async function matchPassword(
  hasher: PasswordHasher,
  { password, passwordHash, queue, giveBack }: PasswordTry,
): Promise<boolean> {
  try {
    return await hasher.verify(password, passwordHash, queue);
  } catch (error) {
    // A busy server must not use up tries.
    await giveBack();
    throw error;
  }
}
