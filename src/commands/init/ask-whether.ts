/** Asks whether a command should go on. */
import { VerbatimError } from '../../errors.ts';
import { createPrompter, isTerminal } from './ask.ts';

/**
 * Rejects with `usage` if there is nobody to ask, and with `interrupted` if the answer is not yes;
 * `otherwise` says what was then not done.
 */
export async function askWhether(question: string, otherwise: string): Promise<void> {
  if (!isTerminal()) {
    throw new VerbatimError('usage', 'nobody can be asked here; add --yes to agree');
  }
  const prompter = createPrompter();
  try {
    const answer = await prompter.ask({ text: `${question} (yes or no)`, fallback: 'no' });
    if (!/^y(es)?$/i.test(answer)) throw new VerbatimError('interrupted', otherwise);
  } finally {
    prompter.close();
  }
}
