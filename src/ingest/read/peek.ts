/** Looks at the start of a stream without taking it away. */

/** The first bytes of a stream, at least `bytesMin` of them where it has so many, and all of it. */
export async function peek(
  chunks: AsyncGenerator<Buffer>,
  bytesMin: number,
): Promise<{ start: Buffer; all: AsyncGenerator<Buffer> }> {
  const parts: Buffer[] = [];
  let bytes = 0;
  let failure: { error: unknown } | undefined;
  while (bytes < bytesMin && failure === undefined) {
    try {
      const { value, done } = await chunks.next();
      if (done) break;
      parts.push(value);
      bytes += value.length;
    } catch (error) {
      // What came before is still handed on, and only then the failure.
      failure = { error };
    }
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* parts;
      if (failure !== undefined) throw failure.error;
      yield* chunks;
    } finally {
      // Also where reading stops within the start.
      await chunks.return(undefined);
    }
  }
  return { start: Buffer.concat(parts), all: all() };
}
