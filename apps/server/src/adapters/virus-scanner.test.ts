import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { clamdScanner } from './virus-scanner.ts';

/** A scanner that treats each connection in a way of its own. */
async function scannerThat(each: ((socket: net.Socket) => void)[]) {
  let connections = 0;
  const server = net.createServer(socket => {
    socket.on('error', () => {});
    socket.resume();
    each[Math.min(connections++, each.length - 1)]!(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: () => new Promise<void>(closed => server.close(() => closed())),
  };
}
const file = () => Readable.from([Buffer.from('a file')]);

test('a scanner that says nothing is named, and then left alone for a minute', async () => {
  await using scanner = await scannerThat([() => {}]);
  const { scan } = clamdScanner(scanner.address, 50);
  await expect(scan(file())).rejects.toThrow(`The virus scanner at ${scanner.address} does not answer.`);
  await expect(scan(file())).rejects.toThrow('The virus scanner did not answer a moment ago. It is asked again within a minute.');
  expect(scanner.connections()).toBe(1);
});

test('a scanner that refuses one file is asked about the next', async () => {
  await using scanner = await scannerThat([
    socket => socket.end('INSTREAM size limit exceeded. ERROR\0'),
    socket => socket.end('stream: Eicar-Signature FOUND\0'),
    socket => socket.end('stream: OK\0'),
  ]);
  const { scan } = clamdScanner(scanner.address);
  await expect(scan(file())).rejects.toThrow('size limit exceeded');
  expect(await scan(file())).toBe('Eicar-Signature');
  expect(await scan(file())).toBeNull();
});
