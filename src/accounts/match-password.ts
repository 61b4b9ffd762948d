/** Compares a password with its hash, for an attempt that was counted before. */
import type { PasswordHasher, Queue } from './password-hash.ts';

export interface PasswordAttempt {
  password: string;
  /** null: nobody's. The same work is done. */
  passwordHash: string | null;
  queue: Queue;
  /** Releases the attempt, which was counted before the hash so that guesses cannot run in parallel. */
  release: () => Promise<void>;
}

/** Resolves to whether the password is right. Its attempt stays counted unless nothing was learned. */
export async function matchPassword(
  hasher: PasswordHasher,
  { password, passwordHash, queue, release }: PasswordAttempt,
): Promise<boolean> {
  try {
    return await hasher.verify(password, passwordHash, queue);
  } catch (error) {
    // A busy server must not use up attempts.
    await release();
    throw error;
  }
}
