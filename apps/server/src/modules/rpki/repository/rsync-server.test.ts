import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { openRsyncServer } from './rsync-server.ts';
import { treeLink } from './rsync-tree.ts';

const run = promisify(execFile);
const log = createLog('silent');
const isInstalled = await run('rsync', ['--version']).then(
  () => true,
  () => false,
);

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });

describe.runIf(isInstalled)('the repository by rsync on this machine', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-rsync-'));
    await fs.mkdir(path.join(folder, 'tree'));
    await fs.writeFile(path.join(folder, 'tree/ta.cer'), 'certificate');
    await fs.symlink('tree', path.join(folder, treeLink));
  });
  afterAll(() => fs.rm(folder, { recursive: true, force: true }));

  test('serves several clients at a time, and none after it is closed', async () => {
    const base = `rsync://localhost:${await freePort()}/repository/`;
    const server = await openRsyncServer({ rpkiRsyncBase: base, rpkiDir: folder }, log);
    expect(server.announcement).toBe(`Validators read it at ${base}`);
    const copies = await Promise.all(
      [1, 2, 3].map(async copy => {
        await run('rsync', ['-r', base, path.join(folder, `copy-${copy}/`)]);
        return fs.readFile(path.join(folder, `copy-${copy}/ta.cer`), 'utf8');
      }),
    );
    expect(copies).toEqual(['certificate', 'certificate', 'certificate']);
    await expect(run('rsync', [path.join(folder, 'tree/ta.cer'), base])).rejects.toThrow(/read only/);
    await server.close();
    await expect(run('rsync', [base])).rejects.toThrow(/refused/);
  });

  test('doesn’t start if another program listens there, or the address is another machine', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => other.once('listening', resolve));
    const { port } = other.address() as net.AddressInfo;
    const taken = await openRsyncServer({ rpkiRsyncBase: `rsync://localhost:${port}/repository/`, rpkiDir: folder }, log);
    expect(taken.announcement).toBeNull();
    await taken.close();
    other.close();
    const elsewhere = await openRsyncServer({ rpkiRsyncBase: 'rsync://rpki.registry.example/repository/', rpkiDir: folder }, log);
    expect(elsewhere.announcement).toBeNull();
  });
});
