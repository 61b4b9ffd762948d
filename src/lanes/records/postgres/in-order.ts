/** Runs work one after the other. */

/**
 * Returns a function that begins work when all earlier work has ended, one way or the other, and returns
 * its promise.
 */
export function inOrder(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
