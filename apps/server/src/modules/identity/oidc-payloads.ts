import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import Provider, { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Database, JsonValue } from '../../platform/database/index.ts';

const digest = (id: string): Buffer => createHash('sha256').update(id).digest();

type Row = { model: string; payload: JsonValue; consumedAt: string | null };

/* The statements of every token request, written out: putting them together anew costs more than sending them. */
const kept = '(expires_at is null or expires_at > now())';
const SAVE = `insert into oidc_payload (model, id, payload, grant_id, uid, account_id, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
  on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    account_id = excluded.account_id, expires_at = excluded.expires_at`;
const FIND = `select model, payload, consumed_at from oidc_payload where model = $1 and id = $2 and ${kept}`;
const FIND_BY_UID = `select model, payload, consumed_at from oidc_payload where model = $1 and uid = $2 and ${kept}`;
/** A code or token with what the provider asks for next: the grant it is of and the session it lives in. */
const FIND_WITH_ORIGIN = `with found as (${FIND})
  select model, payload, consumed_at from found
  union all
  select g.model, g.payload, g.consumed_at from found join oidc_payload g
    on g.model = 'Grant' and g.id = sha256(convert_to(found.payload->>'grantId', 'UTF8')) and (g.expires_at is null or g.expires_at > now())
  union all
  select s.model, s.payload, s.consumed_at from found join oidc_payload s
    on s.model = 'Session' and s.uid = found.payload->>'sessionUid' and (s.expires_at is null or s.expires_at > now())`;
const CONSUME = `update oidc_payload set consumed_at = now() where model = $1 and id = $2 and consumed_at is null`;

/** Models that name a grant and a session. */
const withOrigin = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

/** What the request under way has read along with a code or token, each to be taken once. */
const readAlong = new WeakMap<object, Map<string, AdapterPayload>>();
const request = (): object | undefined => (Provider as unknown as { ctx?: object }).ctx;

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
    this.#forgetReadAlong();
    const { jti: _id, ...stored } = payload;
    // An interaction would carry the raw id of its session.
    if (this.#model === 'Interaction' && stored.session) stored.session = { ...stored.session, cookie: undefined as never };
    const { grantId = null, uid = null, accountId = null } = payload;
    await this.#run(SAVE, [this.#model, digest(id), JSON.stringify(stored), grantId, uid, accountId, expiresIn || null]);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const known = this.#take(id);
    if (known) return { ...known, jti: id };
    const rows = await this.#run(withOrigin.has(this.#model) ? FIND_WITH_ORIGIN : FIND, [this.#model, digest(id)]);
    const payload = asPayload(rows.find(({ model }) => model === this.#model));
    if (!payload) return undefined;
    const here = request();
    if (here && rows.length > 1) {
      const along = new Map<string, AdapterPayload>();
      for (const row of rows) {
        if (row.model === 'Grant') along.set(`Grant ${payload.grantId}`, asPayload(row)!);
        if (row.model === 'Session') along.set(`Session ${payload.sessionUid}`, asPayload(row)!);
      }
      readAlong.set(here, along);
    }
    return { ...payload, jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const known = this.#take(uid);
    if (known) return known;
    const [row] = await this.#run(FIND_BY_UID, [this.#model, uid]);
    return asPayload(row);
  }

  /** Only the device flow asks, which is off. */
  async findByUserCode(): Promise<undefined> {}

  /** @throws InvalidGrant when somebody else was first. */
  async consume(id: string): Promise<void> {
    const { numAffectedRows } = await this.#db.unrecorded.executeQuery(CompiledQuery.raw(CONSUME, [this.#model, digest(id)]));
    if (numAffectedRows !== 1n) throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    this.#forgetReadAlong();
    await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('id', '=', digest(id)).execute();
  }

  /** Of this model only: taking the interaction of a running account switch along would break it. */
  async revokeByGrantId(grantId: string): Promise<void> {
    this.#forgetReadAlong();
    await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('grantId', '=', grantId).execute();
  }

  async #run(statement: string, values: unknown[]): Promise<Row[]> {
    return (await this.#db.unrecorded.executeQuery<Row>(CompiledQuery.raw(statement, values))).rows;
  }

  #take(key: string): AdapterPayload | undefined {
    const here = request();
    const along = here && readAlong.get(here);
    const known = along?.get(`${this.#model} ${key}`);
    along?.delete(`${this.#model} ${key}`);
    return known;
  }

  /** What was read before a change may no longer be so. */
  #forgetReadAlong(): void {
    const here = request();
    if (here) readAlong.delete(here);
  }
}

function asPayload(row: Pick<Row, 'payload' | 'consumedAt'> | undefined): AdapterPayload | undefined {
  if (!row) return undefined;
  const payload = row.payload as AdapterPayload;
  return row.consumedAt === null ? payload : { ...payload, consumed: true };
}

/** Deletes what has expired. */
export async function sweepOidcPayloads(db: Database): Promise<void> {
  await db.unrecorded.deleteFrom('oidcPayload').where('expiresAt', '<', sql<string>`now()`).execute();
}
