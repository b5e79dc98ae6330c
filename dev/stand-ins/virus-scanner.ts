import { once } from 'node:events';
import net from 'node:net';

/** Content of the EICAR test file, anywhere in a file. */
const mark = 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE';

/**
 * A daemon that speaks clamd's INSTREAM over TCP and finds the test text of EICAR, and what a test says besides. Chunks, their lengths and the end are read as clamd
 * reads them; a stream over `largest` is refused as its StreamMaxLength would be.
 */
export async function virusScannerStandIn({
  port = 0,
  largest = 25_000_000,
  finds = () => false,
}: {
  port?: number;
  largest?: number;
  finds?: (content: Buffer) => boolean;
} = {}) {
  const server = net.createServer(socket => {
    socket.on('error', () => socket.destroy());
    void converse(socket, { largest, finds: content => content.includes(mark) || finds(content) }).then(
      answer => socket.end(`${answer}\0`),
      () => socket.destroy(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `tcp://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

async function converse(socket: net.Socket, { largest, finds }: { largest: number; finds: (content: Buffer) => boolean }): Promise<string> {
  const command = 'zINSTREAM\0';
  let waiting = Buffer.alloc(0);
  let content = Buffer.alloc(0);
  let begun = false;
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, chunk]);
    if (!begun) {
      if (waiting.length < command.length) continue;
      if (waiting.toString('latin1', 0, command.length) !== command) return 'UNKNOWN COMMAND';
      waiting = waiting.subarray(command.length);
      begun = true;
    }
    while (waiting.length >= 4) {
      const length = waiting.readUInt32BE(0);
      if (length === 0) return finds(content) ? 'stream: Eicar-Signature FOUND' : 'stream: OK';
      if (content.length + length > largest) return 'INSTREAM size limit exceeded. ERROR';
      if (waiting.length < 4 + length) break;
      content = Buffer.concat([content, waiting.subarray(4, 4 + length)]);
      waiting = waiting.subarray(4 + length);
    }
  }
  throw new Error('The stream ended in the middle.');
}
