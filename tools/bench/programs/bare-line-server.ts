import net from 'node:net';

/** The smallest possible line server: finds the end of a line and answers with a constant of a given size. The cost of the whois service is measured against it. */
const { SIZE } = process.env;
const answer = `${'x'.repeat(Number(SIZE) - 3)}\n\n\n`;

const server = net
  .createServer({ noDelay: true }, socket => {
    let held = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      const lines = (held + text).split('\n');
      held = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith('-k ')) socket.write(answer);
        else socket.end(answer);
      }
    });
    socket.on('error', () => socket.destroy());
  })
  .listen(0, '127.0.0.1', () => console.log((server.address() as net.AddressInfo).port));
