import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream';

/** Passes connections on to a server, and later to another one, as a name in the DNS or a proxy does that was changed. */
export async function switchedDoor(url: string) {
  let target = new URL(url);
  const sockets = new Set<net.Socket>();
  const server = net.createServer(client => {
    const behind = net.connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(socket);
      pipeline(socket, other, () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.port = String((server.address() as net.AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: through.href,
    /** New connections lead there. */
    leadsTo: (other: string): void => {
      target = new URL(other);
    },
    /** Ends the connections that are open. */
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
    },
  };
}
