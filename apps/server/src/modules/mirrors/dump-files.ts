import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { sumsName } from './dump.ts';

/** `/whois-dump/SOURCE/`: the public files of the last dump, with their checksums and serial. Replacing the folder meanwhile can't mix them: each file has its serial. */
export function dumpFiles(app: FastifyInstance, { folder, profile }: { folder: string; profile: Profile }): void {
  const root = path.join(folder, profile.source);
  const serialName = `${profile.source}.CURRENTSERIAL`;
  const isDump = (name: string): boolean => name.startsWith(`${profile.source.toLowerCase()}.db.`) && /^[\w.-]+\.gz$/.test(name);

  app.get(`/whois-dump/${profile.source}/*`, async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const file = path.join(root, name);
    const isText = name === serialName || name === sumsName;
    const stat = isText || isDump(name) ? await fs.stat(file).catch(() => null) : null;
    if (stat === null) throw refuse('NOT_FOUND', { what: 'This file' });
    const etag = `"${stat.mtimeMs.toString(36)}-${stat.size.toString(36)}"`;
    void reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300').header('etag', etag);
    void reply.header('last-modified', stat.mtime.toUTCString());
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply
      .header('content-length', stat.size)
      .type(isText ? 'text/plain; charset=utf-8' : 'application/gzip')
      .send(createReadStream(file));
  });
}
