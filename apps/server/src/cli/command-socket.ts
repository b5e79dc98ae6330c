import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import type { Ask } from './ask.ts';
import type { CommandCall } from './command.ts';

/*
 * The embedded database has one process, the server's; commands reach it over a local socket in DATA_DIR that only the server's own user may
 * open. The caller sends one line of JSON, a CommandRequest, and the pieces of its input as a line of JSON each: a large one, such as an e-mail, must not hold up the
 * server. Each line of the answer is a CommandReply, and the last has the exit code.
 */
type CommandRequest = Omit<CommandCall, 'input'> & { terminal: boolean; pieces: number };
type CommandReply = { out: string } | { error: string } | { ask: string } | { exit: number };

/** Longest path of a socket, in bytes, where it is shortest (macOS). */
const LONGEST_PATH = 103;

/** Characters of a piece of input. */
const PIECE = 65_536;

/** Returns where the server on the embedded database listens for commands; null if there is none, or its path is too long for a socket. */
export function commandSocketOf({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): string | null {
  const isFolder = !/^(memory|postgres|postgresql):/.test(database);
  const file = path.join(dataDir, 'commands.sock');
  return isFolder && process.platform !== 'win32' && Buffer.byteLength(file) <= LONGEST_PATH ? file : null;
}

/** Runs commands that are sent to the socket, in parallel to the server. `close` waits for running ones. */
export async function openCommandSocket(
  file: string,
  { config, db, log }: { config: Config; db: Database; log: Log },
): Promise<{ close: () => Promise<void> }> {
  const underWay = new Set<Promise<void>>();
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    socket.on('error', error => log.debug('command', { error }));
    const done = answer(socket, { config, db }).catch((error: unknown) => log.warn('command', { error }));
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
  });
  // Left over from a killed server: this process has the lock of the database, so no other one listens there.
  fs.rmSync(file, { force: true });
  // The file is made with its permissions: there is no moment at which others might open it.
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(file, resolve);
    });
  } finally {
    process.umask(mask);
  }
  server.on('error', error => log.warn('command', { error }));
  return {
    close: async () => {
      const closed = new Promise<void>(resolve => void server.close(() => resolve()));
      await Promise.all(underWay);
      await closed;
    },
  };
}

async function answer(socket: net.Socket, { config, db }: { config: Config; db: Database }): Promise<void> {
  const send = (reply: CommandReply): boolean => socket.writable && socket.write(`${JSON.stringify(reply)}\n`);
  // A server that is never sent a command does without them.
  const { runCommand } = await import('./run-command.ts');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const asked = await lines.next();
  if (!asked.done) {
    const { terminal, pieces, ...call } = JSON.parse(asked.value) as CommandRequest;
    const input: string[] = [];
    while (input.length < pieces) {
      const piece = await lines.next();
      // The caller ended.
      if (piece.done) return void socket.end();
      input.push(JSON.parse(piece.value) as string);
    }
    const exit = await runCommand(
      { ...call, input: input.join('') },
      {
        config,
        openDatabase: () => Promise.resolve(db),
        output: new Writable({
          decodeStrings: false,
          write: (chunk: Buffer | string, _encoding, next) => {
            if (send({ out: chunk.toString() }) || !socket.writable) next();
            else socket.once('drain', next);
          },
        }),
        errors: { isTTY: terminal, write: text => send({ error: text }) },
        ask: async question => {
          send({ ask: question });
          const answer = await lines.next();
          return answer.done ? null : (JSON.parse(answer.value) as boolean | null);
        },
      },
    );
    send({ exit });
  }
  socket.end();
}

/**
 * Makes the server that runs on the embedded database run a command, and forwards its output. Returns the exit code; null if no server
 * listens there.
 * @throws Error if the server ends before the command does
 */
export function forwardToRunningServer(
  file: string,
  call: CommandCall,
  { output, errors, ask }: { output: NodeJS.WritableStream; errors: NodeJS.WriteStream; ask: Ask },
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(file);
    let connected = false;
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (!connected && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')) resolve(null);
      else if (!connected && error.code === 'EACCES')
        reject(new Error(`The server that runs on ${path.dirname(file)} belongs to another user. Run this command as that user.`));
      else reject(error);
    });
    socket.once('connect', () => {
      connected = true;
      const { input, ...rest } = call;
      const pieces = Math.ceil(input.length / PIECE);
      socket.write(`${JSON.stringify({ ...rest, terminal: errors.isTTY, pieces } satisfies CommandRequest)}\n`);
      for (let at = 0; at < input.length; at += PIECE) socket.write(`${JSON.stringify(input.slice(at, at + PIECE))}\n`);
      let exit: number | null = null;
      const lines = createInterface({ input: socket });
      lines.on('line', line => {
        const reply = JSON.parse(line) as CommandReply;
        if ('out' in reply) output.write(reply.out);
        else if ('error' in reply) errors.write(reply.error);
        else if ('ask' in reply) void ask(reply.ask).then(answer => socket.write(`${JSON.stringify(answer)}\n`));
        else exit = reply.exit;
      });
      lines.once('close', () => {
        socket.destroy();
        if (exit === null) reject(new Error('The server ended before the command finished. See its log.'));
        else resolve(exit);
      });
    });
  });
}
