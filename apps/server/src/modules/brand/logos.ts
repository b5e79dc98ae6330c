import type { AnswerOf } from '@portal/contract';
import type { brand } from '@portal/contract/brand/brand';
import { logoName } from '@portal/contract/brand/brand-values';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PageContext } from '../../platform/module.ts';
import { readApart, senderOf } from '../../platform/reading-apart.ts';
import type { read as readLogo, ReadLogo } from './logo-thread.ts';

const logoApart = readApart<typeof readLogo>(new URL('./logo-thread.ts', import.meta.url));

type Uploading = Act<typeof brand.uploadBrandLogo>;

/** Reads the logo of a call in the thread for texts, before the change that stores it. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readUploadedLogo = ({ caller, body: { content } }: Omit<Uploading, 'change'>): Promise<ReadLogo> =>
  logoApart(senderOf({ caller }), content, 'content');

/** Keeps a logo. No page shows it before a change that names it is confirmed. */
export async function uploadBrandLogo(
  { change, caller }: Uploading,
  { name, content, width, height }: ReadLogo,
): Promise<AnswerOf<typeof brand.uploadBrandLogo>> {
  await change
    .insertInto('brandLogo')
    .values({ name, content: Buffer.from(content, 'base64'), width, height, uploadedBy: caller.loginId, uploadedAt: change.now })
    // The file was uploaded before.
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute();
  await change.note({ logo: name, size: `${width} × ${height}` });
  return { name };
}

const typeOf = (name: string): string => (name.endsWith('.webp') ? 'image/webp' : 'image/png');

/** A logo for registry staff, also one that no page shows yet. @throws Failure NOT_FOUND */
export async function getBrandLogo({
  read,
  params: { name },
}: Act<typeof brand.getBrandLogo>): Promise<AnswerOf<typeof brand.getBrandLogo>> {
  const logo = await read.selectFrom('brandLogo').select(['content', 'width', 'height']).where('name', '=', name).executeTakeFirst();
  if (!logo) throw refuse('NOT_FOUND', { what: 'The logo' });
  return { address: `data:${typeOf(name)};base64,${Buffer.from(logo.content).toString('base64')}`, width: logo.width, height: logo.height };
}

/** `/brand/<name>`: a logo that pages show, or showed: of the brand in force, of a change that two people confirmed, or of the change that this browser previews. */
export function logoPages(http: FastifyInstance, { db, profile, clock }: PageContext): void {
  http.get('/brand/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const logo = logoName.test(name) ? await shownLogo(name) : undefined;
    if (!logo) throw refuse('NOT_FOUND', { what: 'The logo' });
    // The name is of the content: whoever has it has the whole of it, for ever.
    const etag = `"${name}"`;
    void reply.header('etag', etag).header('cache-control', 'public, max-age=31536000, immutable');
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(typeOf(name)).send(Buffer.from(logo.content));
  });

  async function shownLogo(name: string): Promise<{ content: Uint8Array } | undefined> {
    const isInForce = [profile.logoLight, profile.logoDark].includes(name);
    const rows = await db.read.rows<{ content: Uint8Array }>(sql`select content from brand_logo where name = ${name}
      and (${isInForce} or exists (select from brand_change c cross join lateral jsonb_each(c.changed) v
        where c.confirmed_at is not null and c.ended_at is null and c.begins_at <= ${clock().toISOString()}::timestamptz and v.value ->> 'after' = ${name}))`);
    return rows[0];
  }
}
