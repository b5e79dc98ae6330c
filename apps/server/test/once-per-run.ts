import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const prefix = 'portal-once-';

const read = new Map<string, Promise<Buffer>>();

/**
 * Makes something once for all processes of a test run and answers the bytes it made: the first to ask makes it, the others
 * wait. Folders of runs that are over are removed.
 */
export function oncePerRun(name: string, make: () => Promise<Uint8Array>): Promise<Buffer> {
  const bytes = read.get(name) ?? madeOnce(name, make);
  read.set(name, bytes);
  return bytes;
}

/** Memory that threads share: databases start from these bytes, and each would copy them. */
function shared(file: string): Buffer {
  const bytes = fs.readFileSync(file);
  const buffer = Buffer.from(new SharedArrayBuffer(bytes.length));
  bytes.copy(buffer);
  return buffer;
}

async function madeOnce(name: string, make: () => Promise<Uint8Array>): Promise<Buffer> {
  const run = isMainThread ? process.ppid : process.pid;
  const folder = path.join(os.tmpdir(), `${prefix}${run}`);
  forgetEarlierRuns(run);
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  try {
    fs.writeFileSync(`${file}.lock`, String(process.pid), { flag: 'wx' });
  } catch {
    for (let waited = 0; waited < 90_000; waited += 50) {
      if (fs.existsSync(file)) return shared(file);
      if (fs.existsSync(`${file}.failed`)) throw new Error(`${name} could not be made: ${fs.readFileSync(`${file}.failed`, 'utf8')}`);
      await pause(50);
    }
    throw new Error(`${name} was not made within 90 seconds`);
  }
  try {
    fs.writeFileSync(`${file}.draft`, await make());
    fs.renameSync(`${file}.draft`, file);
  } catch (error) {
    fs.writeFileSync(`${file}.failed`, String((error as Error).stack));
    throw error;
  }
  return shared(file);
}

function forgetEarlierRuns(run: number): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : run;
    if (pid === run || Number.isNaN(pid)) continue;
    try {
      process.kill(pid, 0);
    } catch {
      fs.rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true });
    }
  }
}
