/** Serves the protocol on standard input and output, for a client that started this process. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Backend } from './backend.ts';
import { createMcpServer } from './create-server.ts';

export interface StdioOptions {
  /** The size of a message, in bytes. A longer one ends the connection. */
  messageBytesMax: number;
  /** Ends the connection. */
  signal: AbortSignal;
  onError: (error: Error) => void;
}

/** Resolves when the client closed its end, or the signal was aborted. */
export async function serveOnStdio(
  backend: Backend,
  { messageBytesMax, signal, onError }: StdioOptions,
): Promise<void> {
  const { stdin, stdout } = process;
  const closed = new Promise<void>((resolve) => {
    stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: messageBytesMax });
  const connection = serveStdio(() => createMcpServer(backend), {
    transport,
    // There is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: onError,
  });
  await closed;
  await connection.close();
}
