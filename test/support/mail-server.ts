/** A mail server of ours on loopback, as it is spoken (RFC 5321). */
import { createServer, type Socket } from 'node:net';

export interface MailServer {
  url: string;
  /** The mails as they came over the wire. */
  received: string[];
  /** All commands, in order. */
  commands: string[];
  /** Connections, ended ones too. */
  sockets: Socket[];
  close(): void;
}

/** What the server answers to a command that starts so, in place of the usual; '' is silence. */
export type Faults = Readonly<Record<string, string>>;

const usual: Faults = {
  EHLO: '250-localhost\r\n250 AUTH PLAIN',
  AUTH: '235 in',
  MAIL: '250 go on',
  RCPT: '250 go on',
  DATA: '354 go on',
  QUIT: '221 bye',
};

export async function startMailServer(faults: Faults = {}): Promise<MailServer> {
  const received: string[] = [];
  const commands: string[] = [];
  const sockets: Socket[] = [];
  const answers: Faults = { ...usual, ...faults };
  const server = createServer((socket) => {
    sockets.push(socket);
    let text = '';
    let isData = false;
    const answer = (reply: string): void => {
      if (reply !== '') socket.write(`${reply}\r\n`);
    };
    answer(answers['hello'] ?? '220 localhost');
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const unit = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          received.push(unit);
          isData = false;
          answer(answers['taken'] ?? '250 taken');
          continue;
        }
        commands.push(unit);
        const reply = answers[unit.slice(0, 4).toUpperCase()] ?? '502 what';
        isData = reply.startsWith('354');
        answer(reply);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://ada:s%40cret@127.0.0.1:${port}`,
    received,
    commands,
    sockets,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
