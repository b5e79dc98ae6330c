import net from 'node:net';

/** The least a line server can do: find the end of a line, answer with a constant of a given size. What the whois service costs is measured against it. */
const { PORT, SIZE } = process.env;
const answer = `${'x'.repeat(Number(SIZE) - 3)}\n\n\n`;

net
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
  .listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
