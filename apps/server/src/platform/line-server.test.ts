import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { addressGroup, type LineServer, type LineServerOptions, openLineServer } from './line-server.ts';

let server: LineServer | undefined;
const errors: unknown[] = [];
/** Lines whose answers the test holds back. */
const held = new Map<string, () => void>();
/** The clock of the server, in ms. */
let now = 0;
const soon = { timeout: 30_000, interval: 5 };
afterEach(async () => {
  for (const release of held.values()) release();
  held.clear();
  await server?.close();
  server = undefined;
  errors.length = 0;
});

/** An echo server: `held …` is answered when the test says so, `turns N` N turns of the event loop later, `bye` ends the connection, `throw` and `reject` fail. */
const open = async (options: Partial<LineServerOptions> = {}): Promise<LineServer> => {
  server = await openLineServer({
    host: '127.0.0.1',
    port: 0,
    longestLine: 100,
    idle: 10_000,
    connections: { all: 100, ofAddress: () => 100 },
    refusals: { lineTooLong: 'too long\n', idle: 'idle\n', tooMany: 'too many\n', failed: 'failed\n' },
    onError: error => errors.push(error),
    clock: () => now,
    converse: () => bytes => {
      const line = bytes.toString('latin1');
      const [word, number] = line.split(' ');
      if (word === 'throw') throw new Error('thrown');
      if (word === 'reject') return { answer: Promise.reject(new Error('rejected')), close: false };
      if (word === 'held') return { answer: new Promise(resolve => held.set(line, () => resolve(`${line}\n`))), close: false };
      if (word === 'turns') return { answer: afterTurns(Number(number)).then(() => `${line}\n`), close: false };
      if (word === 'big') return { answer: 'x'.repeat(Number(number)), close: true };
      if (word === 'many') return { answer: chunks(Number(number)), close: true };
      return { answer: `${line}\n`, close: word === 'bye' };
    },
    ...options,
  });
  return server;
};

async function afterTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve));
}
/** Until the server has taken these lines. */
const taken = (...lines: string[]) => expect.poll(() => lines.every(line => held.has(line)), soon).toBe(true);

async function* chunks(count: number): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) yield `${i}\n`;
}

const connect = async (localAddress = '127.0.0.1'): Promise<net.Socket> => {
  const socket = net.connect({ port: server!.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  // Like real clients: they close after the goodbye.
  socket.on('end', () => socket.end());
  await once(socket, 'connect');
  return socket;
};
const ask = async (bytes: string | Buffer, from?: string): Promise<string> => {
  const socket = await connect(from);
  socket.end(bytes);
  return text(socket);
};

describe('a line server', () => {
  test('answers lines in their order, however long each takes', async () => {
    await open();
    const answer = ask('held first\none\r\nheld second\ntwo\n');
    await taken('held first', 'held second');
    held.get('held second')!();
    held.get('held first')!();
    expect(await answer).toBe('held first\none\nheld second\ntwo\n');
  });

  test('joins the pieces of a line', async () => {
    await open();
    const socket = await connect();
    for (const piece of ['he', 'l', 'lo\nthe', 're\n']) {
      socket.write(piece);
      // This piece has been read once another connection has its answer.
      await ask('one\n');
    }
    socket.end();
    expect(await text(socket)).toBe('hello\nthere\n');
  });

  test('treats the last input of a half-closed connection as a line', async () => {
    await open();
    expect(await ask('one\nwithout an end')).toBe('one\nwithout an end\n');
  });

  test('ignores lines after the one that ends the connection', async () => {
    await open();
    expect(await ask('bye\nthrow\n')).toBe('bye\n');
    expect(errors).toEqual([]);
  });

  test('hundreds of lines sent together are all answered', async () => {
    await open();
    const lines = Array.from({ length: 1000 }, (_, i) => `turns ${i % 3}\n`).join('');
    expect(await ask(lines)).toBe(lines);
  });

  test('refuses a line that is too long, complete or not, so that the client gets to read it', async () => {
    await open();
    expect(await ask(`${'x'.repeat(101)}\n`)).toBe('too long\n');
    expect(await ask(`one\n${'x'.repeat(1_000_000)}`)).toBe('one\ntoo long\n');
    expect(await ask(`${'x'.repeat(100)}\r\n`)).toBe(`${'x'.repeat(100)}\n`);
  });

  test('passes on bytes that are not text', async () => {
    await open();
    const noise = Buffer.from(Array.from({ length: 90 }, (_, i) => (i * 37) % 256).filter(byte => byte !== 10 && byte !== 13));
    expect(Buffer.from(await ask(Buffer.concat([noise, Buffer.from('\n')])), 'utf8').toString()).toBe(`${noise.toString('latin1')}\n`);
  });

  test('sends a big answer whole, however slowly it is read', async () => {
    await open();
    const socket = await connect();
    socket.pause();
    socket.end('big 5000000\n');
    expect((await text(socket)).length).toBe(5_000_000);
    expect((await ask('many 1000\n')).split('\n')).toHaveLength(1001);
  });

  test('ends the connection whose answer fails, and no other', async () => {
    await open();
    const other = await connect();
    expect(await ask('one\nthrow\ntwo\n')).toBe('one\nfailed\n');
    expect(await ask('one\nreject\ntwo\n')).toBe('one\nfailed\n');
    expect(errors).toHaveLength(2);
    other.end('still here\n');
    expect(await text(other)).toBe('still here\n');
  });

  test('closes a silent connection, and says why', async () => {
    await open({ idle: 60_000 });
    const silent = await connect();
    const socket = await connect();
    socket.write('one\nhalf a li');
    expect(String(await once(socket, 'data'))).toBe('one\n');
    now += 60_001;
    expect(await text(socket)).toBe('idle\n');
    expect(await text(silent)).toBe('idle\n');
    expect(server!.connections.idled).toBe(2);
  });

  test('closes a connection that does not read', async () => {
    await open({ idle: 60_000 });
    const socket = await connect();
    socket.pause();
    socket.write('held before\nbig 50000000\n');
    await taken('held before');
    held.get('held before')!();
    const later = (): number => {
      now += 60_001;
      return server!.connections.open;
    };
    await expect.poll(later, soon).toBe(0);
    // It was in the middle of an answer, so it got no reason.
    expect(server!.connections.idled).toBe(0);
    socket.destroy();
  });

  test('refuses more connections of one address than allowed, and serves it again when one is gone', async () => {
    await open({ connections: { all: 100, ofAddress: () => 2 } });
    const first = await connect();
    const second = await connect();
    expect(await text(await connect())).toBe('too many\n');
    first.end();
    await text(first);
    expect(await ask('one\n')).toBe('one\n');
    second.destroy();
    expect(server!.connections.refused).toBe(1);
  });

  test('a thousand connections that send half a line block neither others nor, for long, their own address', {
    timeout: 30_000,
  }, async () => {
    await open({ connections: { all: 5_000, ofAddress: () => 200 } });
    const sockets = await Promise.all(Array.from({ length: 1_000 }, () => connect()));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.write('half a li');
    }
    await expect.poll(() => server!.connections, soon).toMatchObject({ open: 200, refused: 800 });
    expect(await ask('one\n', '127.0.0.2')).toBe('one\n');
    expect(await ask('one\n')).toBe('too many\n');
    // A silent connection gives way to a new one.
    now += 2_001;
    expect(await ask('one\n')).toBe('one\n');
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => server!.connections.open, soon).toBe(0);
  });

  test('ten megabytes of noise are refused where a line is too long, and others are served meanwhile', { timeout: 30_000 }, async () => {
    await open();
    let state = 7;
    const noise = Buffer.from(
      Array.from({ length: 10_000_000 }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 24;
      }),
    );
    const socket = await connect();
    socket.on('error', () => {});
    const answer = text(socket);
    socket.end(noise);
    for (let others = 0; others < 20; others++) expect(await ask('one\n')).toBe('one\n');
    expect(await answer).toMatch(/too long\n$/);
    expect(await ask('one\n')).toBe('one\n');
    expect(errors).toEqual([]);
  });

  test('a client that resets its connection harms no other', async () => {
    await open();
    for (let i = 0; i < 20; i++) {
      const socket = await connect();
      socket.write(`held ${i}\n`);
      await taken(`held ${i}`);
      socket.resetAndDestroy();
    }
    for (const release of held.values()) release();
    expect(await ask('one\n')).toBe('one\n');
  });

  test('finishes what is under way when it closes', async () => {
    await open();
    const socket = await connect();
    const idle = await connect();
    socket.write('held until the end\n');
    await taken('held until the end');
    const closed = server!.close();
    held.get('held until the end')!();
    expect(await text(socket)).toBe('held until the end\n');
    expect(await text(idle)).toBe('');
    socket.destroy();
    idle.destroy();
    await closed;
  });

  test('refuses to share a port', async () => {
    const { port } = await open();
    const first = server;
    await expect(open({ port })).rejects.toThrow('EADDRINUSE');
    server = first;
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the group of %s is %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
