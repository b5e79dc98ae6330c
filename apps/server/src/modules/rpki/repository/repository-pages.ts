import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline as join } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { printTal } from '@portal/rpki-objects';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { refuse } from '../../../platform/failure.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { placesOf, trustAnchorFiles, trustAnchorUri } from '../places.ts';
import { notificationName, rrdpFile } from './repository-files.ts';

/** Seconds a notification may be cached; other files never change (RFC 8182, section 3.4.1). */
const NOTIFICATION_SECONDS = 60;

/** `/rrdp/…` and `/rpki/…`: what relying parties fetch. */
export function repositoryPages(
  http: FastifyInstance,
  { db, config, profile, clock }: Pick<ModuleContext, 'db' | 'config' | 'profile' | 'clock'>,
): void {
  const rrdp = path.join(config.rpkiDir, 'rrdp');
  const missing = () => refuse('NOT_FOUND', { what: 'This file' });

  http.get('/rrdp/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*'];
    const isNotification = name === notificationName;
    if (!isNotification && !rrdpFile.test(name)) throw missing();
    return sendFile(path.join(rrdp, name), { request, reply, now: clock(), seconds: isNotification ? NOTIFICATION_SECONDS : null });
  });

  type TrustAnchor = { content: Buffer; publicKey: Buffer; modifiedAt: string };
  const trustAnchor = async (kind: 'trust-anchor' | 'as0'): Promise<TrustAnchor> => {
    const [row] =
      await db.read.rows<TrustAnchor>(sql`select o.content, k.public_key, o.modified_at from rpki_object o join rpki_key k using (key_id)
      join rpki_ca c using (ca_id) where o.kind = 'trust-anchor' and c.kind = ${kind}`);
    if (!row) throw missing();
    return row;
  };
  for (const [kind, locator, comments] of [
    ['trust-anchor', 'registry.tal', () => [`Trust anchor of ${profile.registryName}`]],
    [
      'as0',
      'as0.tal',
      () => [`Space of ${profile.registryName} that is not delegated, under AS0`, 'Optional, beside the trust anchor of the registry'],
    ],
  ] as const) {
    const file = trustAnchorFiles[kind];
    http.get(`/rpki/${file}`, async (request, reply) => {
      const { content, modifiedAt } = await trustAnchor(kind);
      return sendBytes(content, { request, reply, now: clock(), type: 'application/pkix-cert', modifiedAt: new Date(modifiedAt) });
    });
    http.get(`/rpki/${locator}`, async (request, reply) => {
      const { publicKey, modifiedAt } = await trustAnchor(kind);
      const own = `${config.appUrl}/rpki/${file}`;
      const uris = [...(own.startsWith('https://') ? [own] : []), trustAnchorUri(placesOf(config), kind)];
      const tal = printTal({ comments: comments(), uris, publicKey });
      return sendBytes(Buffer.from(tal), {
        request,
        reply,
        now: clock(),
        type: 'application/rpki-trust-anchor-locator',
        modifiedAt: new Date(modifiedAt),
      });
    });
  }
}

type Sending = { request: FastifyRequest; reply: FastifyReply; now: Date };

/** Validators of a response: its entity tag, which is specific to these bytes (RFC 9110, section 8.8.3), and its time. */
type Validators = { etag: string; modifiedAt: Date; now: Date };

/**
 * Relying parties poll with If-Modified-Since; some with the entity tag. A future time is not sent (RFC 9110, section 8.8.2.1): publications within
 * the same second each take the next one.
 */
function headersOf(reply: FastifyReply, { etag, modifiedAt, now }: Validators): void {
  void reply.header('etag', etag).header('access-control-allow-origin', '*');
  if (modifiedAt.getTime() <= now.getTime()) void reply.header('last-modified', modifiedAt.toUTCString());
}
function isUnchanged({ headers }: FastifyRequest, { etag, modifiedAt, now }: Validators): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && modifiedAt.getTime() <= now.getTime() && Math.floor(modifiedAt.getTime() / 1000) * 1000 <= since;
}

function sendBytes(bytes: Buffer, { request, reply, now, type, modifiedAt }: Sending & { type: string; modifiedAt: Date }): FastifyReply {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const validators = { etag, modifiedAt, now };
  headersOf(reply.header('cache-control', `public, max-age=${NOTIFICATION_SECONDS}`), validators);
  return isUnchanged(request, validators) ? reply.code(304).send() : reply.type(type).send(bytes);
}

/** Sends a file of RRDP, compressed if the client accepts it. @param seconds how long it may be cached; null for no limit */
async function sendFile(file: string, { request, reply, now, seconds }: Sending & { seconds: number | null }): Promise<FastifyReply> {
  const stat = await fs.stat(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? refuse('NOT_FOUND', { what: 'This file' }) : error;
  });
  const takesGzip = /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(request.headers['accept-encoding'] ?? ''));
  const isPacked = takesGzip && stat.size >= 1024;
  const etag = `"${stat.size.toString(36)}-${Math.floor(stat.mtimeMs).toString(36)}${isPacked ? '-gzip' : ''}"`;
  const validators = { etag, modifiedAt: stat.mtime, now };
  headersOf(reply, validators);
  void reply
    .header('cache-control', seconds === null ? 'public, max-age=86400, immutable' : `public, max-age=${seconds}`)
    .header('vary', 'accept-encoding');
  if (isUnchanged(request, validators)) return reply.code(304).send();
  void reply.type('application/xml');
  if (!isPacked) return reply.header('content-length', stat.size).send(createReadStream(file));
  const packed = seconds === null ? await compressed(file) : null;
  void reply.header('content-encoding', 'gzip');
  // Piped together, so that an unreadable file fails only this answer.
  if (packed === null) return reply.send(join(createReadStream(file), createGzip(), () => {}));
  return reply.header('content-length', (await fs.stat(packed)).size).send(createReadStream(packed));
}

const compressing = new Map<string, Promise<string>>();

/** The compressed file, made on the first request and deleted with the file. */
async function compressed(file: string): Promise<string> {
  const packed = `${file}.gz`;
  if (
    await fs.stat(packed).then(
      () => true,
      () => false,
    )
  )
    return packed;
  const made =
    compressing.get(packed) ??
    (async () => {
      await pipeline(createReadStream(file), createGzip(), createWriteStream(`${packed}.new`));
      await fs.rename(`${packed}.new`, packed);
      return packed;
    })().finally(() => compressing.delete(packed));
  compressing.set(packed, made);
  return made;
}
