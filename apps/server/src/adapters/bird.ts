import net from 'node:net';

/** The most that is read of one answer, in bytes. */
const LARGEST = 400_000;

/**
 * Sends one command to BIRD over its control socket, and returns the text of the answer without reply codes.
 * @param socket path of the socket
 * @throws Error when BIRD does not answer in time, or refuses the command
 */
export function sendToBird(socket: string, command: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = net.connect({ path: socket });
    const lines: string[] = [];
    let rest = '';
    let size = 0;
    let greeted = false;
    const end = (error: Error | null): void => {
      clearTimeout(timer);
      connection.removeAllListeners();
      connection.on('error', () => undefined);
      connection.destroy();
      if (error) reject(error);
      else resolve(lines.join('\n'));
    };
    const timer = setTimeout(() => end(new Error(`The router did not answer within ${timeoutMs / 1000} seconds`)), timeoutMs);
    connection.setEncoding('utf8');
    connection.on('error', error => end(error));
    connection.on('close', () => end(new Error('The router closed the connection')));
    connection.on('data', (part: string) => {
      size += part.length;
      const all = (rest + part).split('\n');
      rest = all.pop() ?? '';
      for (const line of all) {
        const [, code, mark, words] = /^(\d{4})([ -])(.*)$/.exec(line) ?? [];
        if (!greeted) {
          greeted = true;
          // In restricted mode BIRD takes commands that show something, and no others.
          connection.write(`restrict\n${command}\n`);
          continue;
        }
        if (code === undefined) lines.push(line.slice(1));
        else if (code === '0016') continue;
        else if (code >= '8000') return end(code === '8001' ? null : new Error(words ?? 'The router refused the command'));
        else if (mark === ' ') {
          if (words) lines.push(words);
          return end(null);
        } else lines.push(words ?? '');
        if (size > LARGEST) return end(null);
      }
    });
  });
}
