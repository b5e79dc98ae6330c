import { isRowId } from '@portal/contract/row-ids';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { archiveBytes, archiveEnd } from './archive.ts';

/** The first and last byte that a request asks for: `bytes=100-` or `bytes=100-200`; null for all, undefined for a range that is not there. */
function askedRange(header: string | undefined, bytes: number): { from: number; to: number } | null | undefined {
  const asked = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '');
  if (!asked) return null;
  const from = Number(asked[1]);
  const to = asked[2] === '' ? bytes : Math.min(bytes, Number(asked[2]) + 1);
  return from < to ? { from, to } : undefined;
}

/**
 * `/elections/{election}/archive`: the archive of an encrypted ballot as it is, for everyone, from its publication on. It only grows, so that a mirror asks for what is new by a
 * range (RFC 9110, section 14).
 */
export function archivePage(app: FastifyInstance, db: Database): void {
  const none = (reply: FastifyReply): FastifyReply =>
    reply.code(404).type('text/plain; charset=utf-8').send('There is no archive of encrypted ballots for this election.\n');

  app.get('/elections/:electionId/archive', async (request, reply) => {
    const { electionId } = request.params as { electionId: string };
    if (!isRowId(electionId)) return none(reply);
    const [row] = await db.read.rows<{ uuid: string }>(sql`select b.uuid from encrypted_ballot b join election e using (election_id)
      where b.election_id = ${Number(electionId)} and e.published_at is not null`);
    const end = row && (await archiveEnd(db.read, electionId));
    if (!row || !end) return none(reply);
    void reply
      .header('accept-ranges', 'bytes')
      .header('cache-control', 'no-cache')
      .header('etag', `"${end.hash}"`)
      .header('content-disposition', `attachment; filename="${row.uuid}.bel"`)
      .type('application/x-tar');
    const range = askedRange(request.headers.range, end.bytes);
    if (range === undefined)
      return reply
        .code(416)
        .header('content-range', `bytes */${end.bytes}`)
        .type('text/plain; charset=utf-8')
        .send('The archive ends before.\n');
    const { from, to } = range ?? { from: 0, to: end.bytes };
    if (range) void reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${end.bytes}`);
    return reply
      .header('content-length', to - from)
      .send(Readable.from(archiveBytes(db.read, electionId, { from, to }), { objectMode: false }));
  });
}
