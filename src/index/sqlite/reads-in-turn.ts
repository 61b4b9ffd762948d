/** Runs asynchronous work one after the other. Pure. */

/** Returns a function that runs work after all that it was given before, whatever became of that. */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
