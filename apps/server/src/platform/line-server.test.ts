import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { addressGroup, type LineServer, type LineServerOptions, openLineServer } from './line-server.ts';

let server: LineServer | undefined;
const errors: unknown[] = [];
afterEach(async () => {
  await server?.close();
  server = undefined;
  errors.length = 0;
});

/** A server that says each line back; `slow N` after N ms, `bye` as the last word, `throw` and `reject` fail. */
const open = async (options: Partial<LineServerOptions> = {}): Promise<LineServer> => {
  server = await openLineServer({
    host: '127.0.0.1',
    port: 0,
    longestLine: 100,
    idle: 10_000,
    connections: { all: 100, ofAddress: () => 100 },
    refusals: { lineTooLong: 'too long\n', idle: 'idle\n', tooMany: 'too many\n', failed: 'failed\n' },
    onError: error => errors.push(error),
    converse: () => bytes => {
      const line = bytes.toString('latin1');
      const [word, number] = line.split(' ');
      if (word === 'throw') throw new Error('thrown');
      if (word === 'reject') return { answer: Promise.reject(new Error('rejected')), close: false };
      if (word === 'slow') return { answer: new Promise(resolve => setTimeout(() => resolve(`${line}\n`), Number(number))), close: false };
      if (word === 'big') return { answer: 'x'.repeat(Number(number)), close: true };
      if (word === 'many') return { answer: chunks(Number(number)), close: true };
      return { answer: `${line}\n`, close: word === 'bye' };
    },
    ...options,
  });
  return server;
};

async function* chunks(count: number): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) yield `${i}\n`;
}

const connect = async (): Promise<net.Socket> => {
  const socket = net.connect({ port: server!.port, host: '127.0.0.1', allowHalfOpen: true });
  // As clients do: they close when they are told good-bye.
  socket.on('end', () => socket.end());
  await once(socket, 'connect');
  return socket;
};
const ask = async (bytes: string | Buffer): Promise<string> => {
  const socket = await connect();
  socket.end(bytes);
  return text(socket);
};

describe('a line server', () => {
  test('answers lines in their order, however long each takes', async () => {
    await open();
    expect(await ask('slow 30\none\r\nslow 10\ntwo\n')).toBe('slow 30\none\nslow 10\ntwo\n');
  });

  test('joins the pieces of a line', async () => {
    await open();
    const socket = await connect();
    for (const piece of ['he', 'l', 'lo\nthe', 're\n']) {
      socket.write(piece);
      await new Promise(resolve => setImmediate(resolve));
    }
    socket.end();
    expect(await text(socket)).toBe('hello\nthere\n');
  });

  test('takes what a half-closed connection sent last as a line', async () => {
    await open();
    expect(await ask('one\nwithout an end')).toBe('one\nwithout an end\n');
  });

  test('looks at no line after the one that ends the connection', async () => {
    await open();
    expect(await ask('bye\nthrow\n')).toBe('bye\n');
    expect(errors).toEqual([]);
  });

  test('answers hundreds of lines that were sent at once', async () => {
    await open();
    const lines = Array.from({ length: 1000 }, (_, i) => `slow ${i % 3}\n`).join('');
    expect(await ask(lines)).toBe(lines);
  });

  test('refuses a line that is too long, complete or not, so that the client gets to read it', async () => {
    await open();
    expect(await ask(`${'x'.repeat(101)}\n`)).toBe('too long\n');
    expect(await ask(`one\n${'x'.repeat(1_000_000)}`)).toBe('one\ntoo long\n');
    expect(await ask(`${'x'.repeat(100)}\r\n`)).toBe(`${'x'.repeat(100)}\n`);
  });

  test('hands over bytes that are no text', async () => {
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

  test('closes a connection that says nothing, and says why', async () => {
    await open({ idle: 50 });
    expect(await text(await connect())).toBe('idle\n');
    const socket = await connect();
    socket.write('one\nhalf a li');
    expect(await text(socket)).toBe('one\nidle\n');
    expect(server!.connections.idled).toBe(2);
  });

  test('closes a connection that does not read', async () => {
    await open({ idle: 50 });
    const socket = await connect();
    socket.pause();
    socket.write('big 50000000\n');
    await expect.poll(() => server!.connections.open, { interval: 10 }).toBe(0);
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

  test('a client that resets its connection hurts nobody', async () => {
    await open();
    for (let i = 0; i < 20; i++) {
      const socket = await connect();
      socket.write('slow 5\n');
      socket.resetAndDestroy();
    }
    expect(await ask('one\n')).toBe('one\n');
  });

  test('finishes what is under way when it closes', async () => {
    await open();
    const socket = await connect();
    const idle = await connect();
    socket.write('slow 50\n');
    // Another round trip, so that the line is taken for sure.
    await ask('one\n');
    const closed = server!.close();
    expect(await text(socket)).toBe('slow 50\n');
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
