import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { Database, Tables } from '../../../platform/database/index.ts';

/** Returns the digest an id of the provider is stored under. */
export const idOf = (id: string): Buffer => hash('sha256', id, 'buffer');

/** A session of the provider as it was when it was closed. */
export type ClosedSession = { payload: AdapterPayload; expiresAt: string | null };

/**
 * Closes sessions of the provider. The provider writes a session back with every request: if it were deleted, one that was just being read would
 * reappear. So its row stays, closed, for as long as it would have lived.
 * @param which of the rows of oidc_payload, as SQL.
 */
export async function closeSessions(db: Kysely<Tables>, which: RawBuilder<unknown>): Promise<ClosedSession[]> {
  const { rows } = await sql<ClosedSession>`update oidc_payload set consumed_at = now(), uid = null, account_id = null
    where model = 'Session' and ${which} returning payload, expires_at`.execute(db);
  return rows;
}

/** Returns whether a session of the provider is open; waits for a change that is just ending it. */
export async function isActive(db: Kysely<Tables>, uid: string): Promise<boolean> {
  const { rows } = await sql`select from oidc_payload where model = 'Session' and uid = ${uid} for share`.execute(db);
  return rows.length > 0;
}

/** Revokes what a request got if its sign-in or session ended meanwhile, along with the provider's session. */
export async function withdraw(db: Database, { uid, grantId }: { uid: string; grantId: string | undefined }): Promise<void> {
  await closeSessions(db.unrecorded, sql`uid = ${uid}`);
  if (grantId !== undefined) await withdrawGrant(db.unrecorded, grantId);
}

/** Deletes a grant with all its codes and tokens. A token that is written later finds no grant and is refused. */
export async function withdrawGrant(db: Kysely<Tables>, grantId: string): Promise<void> {
  await db
    .deleteFrom('oidcPayload')
    .where(eb => eb.or([eb('grantId', '=', grantId), eb.and([eb('model', '=', 'Grant'), eb('id', '=', idOf(grantId))])]))
    .execute();
}

/** How long a withdrawn grant is remembered: longer than any grant lives. */
const WITHDRAWN_HOURS = 24;

/** Returns whether this call is the first to record that a grant was withdrawn; concurrent calls wait for it. */
export async function isFirstToWithdraw(db: Kysely<Tables>, grantId: string): Promise<boolean> {
  const { rows } = await sql`insert into oidc_payload (model, id, payload, expires_at)
    values ('WithdrawnGrant', ${idOf(grantId)}, '{}', now() + make_interval(hours => ${WITHDRAWN_HOURS}))
    on conflict (model, id) do nothing returning 1`.execute(db);
  return rows.length > 0;
}
