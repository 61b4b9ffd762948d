/** Asks questions on a terminal. */
import { createInterface } from 'node:readline/promises';
import { VerbatimError } from '../../errors.ts';

export interface Question {
  text: string;
  /** The answer if somebody just presses Enter; it is shown. */
  fallback: string;
  /** Returns the error of an invalid answer, or undefined. The question is then asked again. */
  validate?: (answer: string) => string | undefined;
}

export interface Prompter {
  ask(question: Question): Promise<string>;
  close(): void;
}

/** Returns whether there is somebody to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks on standard error, so that results stay alone on standard output. `ask` throws `interrupted`
 * on Ctrl-C and on the end of the input.
 */
export function createPrompter(): Prompter {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new Promise<never>((_, reject) => {
    const end = (): void =>
      reject(new VerbatimError('interrupted', 'interrupted; nothing was made'));
    terminal.once('SIGINT', end);
    // A question whose input ends is never answered.
    terminal.once('close', end);
  });
  interrupted.catch(() => {});
  return {
    async ask({ text, fallback, validate = () => undefined }) {
      const prompt = `${text} [${fallback === '' ? 'none' : fallback}]: `;
      for (;;) {
        const typed = (await Promise.race([terminal.question(prompt), interrupted])).trim();
        const answer = typed === '' ? fallback : typed;
        const error = validate(answer);
        if (error === undefined) return answer;
        process.stderr.write(`${error}\n`);
      }
    },
    close: () => terminal.close(),
  };
}
