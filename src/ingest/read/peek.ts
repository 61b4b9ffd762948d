/** Looks at the start of a stream without consuming it. */

/** The first bytes of a stream (at least `bytesMin`, or all of them), and the whole stream. */
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
      // Yielded after everything that came before it.
      failure = { error };
    }
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* parts;
      if (failure !== undefined) throw failure.error;
      yield* chunks;
    } finally {
      // Also runs if reading stops within the start.
      await chunks.return(undefined);
    }
  }
  return { start: Buffer.concat(parts), all: all() };
}
