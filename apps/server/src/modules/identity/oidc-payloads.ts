import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Database, JsonValue } from '../../platform/database/index.ts';

const digest = (id: string): Buffer => createHash('sha256').update(id).digest();

/**
 * Where the OpenID provider keeps its sessions, interactions, codes and tokens (table oidc_payload). The ids it hands out open a session
 * or buy a token, so only their SHA-256 is stored. What a code bought is bought once, whoever else tries at the same time.
 */
export class OidcPayloads implements Adapter {
  #db: Database;
  #model: string;

  constructor(db: Database, model: string) {
    this.#db = db;
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { jti: _id, ...kept } = payload;
    // An interaction would carry the raw id of its session.
    if (this.#model === 'Interaction' && kept.session) kept.session = { ...kept.session, cookie: undefined as never };
    const row = {
      payload: JSON.stringify(kept),
      grantId: payload.grantId ?? null,
      uid: payload.uid ?? null,
      accountId: payload.accountId ?? null,
      expiresAt: expiresIn ? sql<string>`now() + make_interval(secs => ${expiresIn})` : null,
    };
    await this.#db.unrecorded
      .insertInto('oidcPayload')
      .values({ model: this.#model, id: digest(id), ...row })
      .onConflict(conflict => conflict.columns(['model', 'id']).doUpdateSet(row))
      .execute();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const payload = asPayload(await this.#rows().where('id', '=', digest(id)).executeTakeFirst());
    return payload && { ...payload, jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return asPayload(await this.#rows().where('uid', '=', uid).executeTakeFirst());
  }

  /** Only the device flow asks, which is off. */
  async findByUserCode(): Promise<undefined> {}

  /** @throws InvalidGrant when somebody else was first. */
  async consume(id: string): Promise<void> {
    const { numUpdatedRows } = await this.#db.unrecorded
      .updateTable('oidcPayload')
      .set({ consumedAt: sql`now()` })
      .where('model', '=', this.#model)
      .where('id', '=', digest(id))
      .where('consumedAt', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('id', '=', digest(id)).execute();
  }

  /** Of this model only: taking the interaction of a running account switch along would break it. */
  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('grantId', '=', grantId).execute();
  }

  #rows() {
    return this.#db.unrecorded
      .selectFrom('oidcPayload')
      .select(['payload', 'consumedAt'])
      .where('model', '=', this.#model)
      .where(eb => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<string>`now()`)]));
  }
}

function asPayload(row: { payload: JsonValue; consumedAt: string | null } | undefined): AdapterPayload | undefined {
  if (!row) return undefined;
  const payload = row.payload as AdapterPayload;
  return row.consumedAt === null ? payload : { ...payload, consumed: true };
}

/** Deletes what has expired. */
export async function sweepOidcPayloads(db: Database): Promise<void> {
  await db.unrecorded.deleteFrom('oidcPayload').where('expiresAt', '<', sql<string>`now()`).execute();
}
