/**
 * Firefox for Playwright, which starts this program as if it were the browser. Playwright drives an ordinary Firefox by WebDriver BiDi, and sends commands
 * that the extended support release doesn't know yet. This program stands on the line between the two: a command of the module `emulation` that the browser
 * doesn't know counts as done, so what it would have emulated is as on the machine. Everything else passes as it is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('The first argument is the Firefox to start.');
const browser = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
browser.once('exit', code => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => browser.kill(signal));
process.on('exit', () => browser.kill('SIGKILL'));

for (const stream of outputOf(browser)) {
  createInterface({ input: stream }).on('line', line => {
    const port = /^WebDriver BiDi listening on ws:\/\/[^/]*:(\d+)$/.exec(line)?.[1];
    if (port === undefined) process.stderr.write(`${line}\n`);
    else void relayTo(Number(port)).then(own => process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${own}\n`));
  });
}

function outputOf({ stdout, stderr }: ChildProcess) {
  return [stdout!, stderr!];
}

/** Listens on a port of its own and passes each connection on to the browser's. @returns the port */
function relayTo(port: number): Promise<number> {
  const server = net.createServer(client => {
    const there = net.connect(port, '127.0.0.1');
    const read = messageReader();
    // The browser answers only where it was asked for by its own address.
    client.once('data', upgrade => {
      there.write(upgrade.toString('latin1').replace(/^host: .*$/im, `Host: 127.0.0.1:${port}`), 'latin1');
      client.pipe(there);
    });
    there.on('data', chunk => client.write(read(chunk)));
    there.on('end', () => client.end());
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

/** Returns a function that takes what the browser sends in pieces, and returns what is passed on: first the answer to the upgrade, then WebSocket frames, unmasked (RFC 6455, 5.2). */
function messageReader(): (chunk: Buffer) => Buffer {
  let waiting = Buffer.alloc(0);
  let isUpgraded = false;
  return chunk => {
    waiting = Buffer.concat([waiting, chunk]);
    const passed: Buffer[] = [];
    if (!isUpgraded) {
      const end = waiting.indexOf('\r\n\r\n');
      if (end < 0) return Buffer.alloc(0);
      isUpgraded = true;
      passed.push(waiting.subarray(0, end + 4));
      waiting = waiting.subarray(end + 4);
    }
    for (let frame = frameAtStart(waiting); frame !== null; frame = frameAtStart(waiting)) {
      passed.push(withDone(waiting.subarray(0, frame.end), frame.start));
      waiting = waiting.subarray(frame.end);
    }
    return Buffer.concat(passed);
  };
}

/** Where the content of the first frame starts and ends, in bytes; null while it is incomplete. */
function frameAtStart(bytes: Buffer): { start: number; end: number } | null {
  if (bytes.length < 2) return null;
  const short = bytes[1]! & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return null;
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  return bytes.length < start + length ? null : { start, end: start + length };
}

/** A frame as it is; one that refuses an unknown command of emulation as one that reports it done. */
function withDone(frame: Buffer, start: number): Buffer {
  if (frame.length > 4000) return frame;
  const content = frame.subarray(start).toString();
  if (!content.includes('"unknown command"')) return frame;
  const { id, type, message } = JSON.parse(content) as { id?: number; type?: string; message?: string };
  if (type !== 'error' || !message?.startsWith('emulation.')) return frame;
  const done = Buffer.from(JSON.stringify({ type: 'success', id, result: {} }));
  return Buffer.concat([Buffer.from([0x81, done.length]), done]);
}
