import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { freePort } from './database/throwaway-postgres.ts';

/** Bucket and key of the service of tests. */
const bucket = 'files';
const require = createRequire(import.meta.url);
const program = path.join(path.dirname(require.resolve('s3rver/package.json')), 'bin/s3rver.js');

/** Starts a service that speaks S3, a program of its own that can be stopped and started again, with what faults need in front of it. */
export async function startS3Service() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'portal-s3-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [program, '-d', folder, '-a', '127.0.0.1', '-p', String(port), '--configure-bucket', bucket], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '--no-deprecation --openssl-legacy-provider' },
    });
    child = started;
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (text: Buffer) => text.includes('listening') && resolve());
      started.once('exit', code => reject(new Error(`s3rver ended with ${code}`)));
    });
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();

  /** A link to it that can be slow, and count. */
  const link = { isHeld: false, passed: 0 };
  const between = http.createServer((request, response) => {
    if (link.isHeld) return;
    const onward = http.request(
      { port, host: '127.0.0.1', method: request.method, path: request.url, headers: request.headers },
      answer => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.on('data', (chunk: Buffer) => (link.passed += chunk.length));
        pipeline(answer, response, () => {});
      },
    );
    pipeline(request, onward, error => error && response.destroy());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');

  const settings = (servicePort: number) => ({
    FILES_S3_URL: `http://127.0.0.1:${servicePort}`,
    FILES_S3_BUCKET: bucket,
    FILES_S3_KEY_ID: 'S3RVER',
    FILES_S3_SECRET: 'S3RVER',
  });
  return {
    /** Settings of a registry with its files there. */
    settings: settings(port),
    linkSettings: settings((between.address() as AddressInfo).port),
    link,
    /** The file in which the service has an object: to damage or age it. */
    fileOf: (key: string): string => path.join(folder, bucket, `${key}._S3rver_object`),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      between.closeAllConnections();
      between.close();
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
