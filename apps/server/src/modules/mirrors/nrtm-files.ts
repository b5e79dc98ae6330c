import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { nrtmPublicKey } from './nrtm-keys.ts';
import { notificationName, nrtmFile } from './nrtm4.ts';

type Options = { db: Pick<Database, 'read'>; folder: string; profile: Profile };

/**
 * `/nrtm4/SOURCE/`: what the worker published for mirrors, and the public key to verify it with. The notification is polled every minute and may be
 * cached no longer; other files never change (draft-ietf-grow-nrtm-v4, 6.2).
 */
export function nrtmFiles(app: FastifyInstance, { db, folder, profile }: Options): void {
  const root = path.join(folder, profile.source);
  const missing = () => refuse('NOT_FOUND', { what: 'This file' });
  const read = (name: string): Promise<Buffer> =>
    fs.readFile(path.join(root, name)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? missing() : error;
    });

  app.get(`/nrtm4/${profile.source}/*`, async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    void reply.header('access-control-allow-origin', '*');
    if (name === notificationName) {
      const body = await read(name);
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      void reply.header('cache-control', 'public, max-age=60').header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type('application/jose').send(body);
    }
    if (name === 'public-key.pem') {
      const pem = await nrtmPublicKey(db.read);
      if (pem === null) throw missing();
      return reply.header('cache-control', 'public, max-age=60').type('application/x-pem-file').send(pem);
    }
    if (!nrtmFile.test(name)) throw missing();
    const file = path.join(root, name);
    const size = await fs.stat(file).then(
      stat => stat.size,
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? missing() : error;
      },
    );
    return reply
      .header('cache-control', 'public, max-age=86400, immutable')
      .header('content-length', size)
      .type('application/gzip')
      .send(createReadStream(file));
  });
}
