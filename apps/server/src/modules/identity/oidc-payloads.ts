import { hash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import Provider, { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { type Database, inBatches, type JsonValue, prepared } from '../../platform/database/index.ts';
import { type Login, loginAsJson } from './logins.ts';

/** What an id is stored under, in hexadecimal. */
const digest = (id: string): string => hash('sha256', id, 'hex');

type Row = { payload: JsonValue; consumedAt: string | null };
type Found = Row & { grantPayload: JsonValue; sessionPayload: JsonValue; login: JsonValue };
type Key = { model: string; id: string };

/* The statements of every token request, written out: putting them together anew costs more than sending them. */
const kept = (table: string): string => `(${table}.expires_at is null or ${table}.expires_at > now())`;
const buys = (table: string): string => `${table}.model in ('AuthorizationCode', 'AccessToken', 'RefreshToken')`;
const FIND_BY_UID = `select payload, consumed_at from oidc_payload p where model = $1 and uid = $2 and ${kept('p')}`;
/**
 * With a code or token what the provider asks for next: the grant it is of, the session it lives in and whose it is. Each by its index,
 * whatever the size of the table was when the statement was planned. Arrays for parameters would have it planned each time, for their length.
 */
const FIND = prepared(`select asked.place, p.payload, p.consumed_at, g.payload as grant_payload, s.payload as session_payload, l.login
  from jsonb_to_recordset($1) asked (model text, id text, place integer)
  join lateral (select * from oidc_payload p where p.model = asked.model and p.id = decode(asked.id, 'hex') and ${kept('p')} limit 1) p on true
  left join lateral (select g.payload from oidc_payload g
    where g.model = 'Grant' and g.id = sha256(convert_to(p.grant_id, 'UTF8')) and ${kept('g')} limit 1) g on ${buys('p')}
  left join lateral (select s.payload from oidc_payload s
    where s.model = 'Session' and s.uid = p.payload->>'sessionUid' and ${kept('s')} limit 1) s on ${buys('p')}
  left join lateral (select ${loginAsJson('l')} as login from login l where login_id = p.account_id limit 1) l on ${buys('p')}`);
/**
 * Keeps rows; those that were bought with a code or refresh token only if it had not been used up, and uses it up. Notes that the session
 * of an access token is in use. Codes come first and in one order, so that two processes that are after the same ones wait for each other
 * in turn; a lost one is looked for by its index, because nobody expects more than one.
 */
const SAVE = prepared(`with asked as materialized (
    select model, decode(id, 'hex') as id, payload, grant_id, uid, account_id, now() + make_interval(secs => seconds) as expires_at,
        spent_model, decode(spent_id, 'hex') as spent_id, sid, used_at, address
      from jsonb_to_recordset($1) saved (model text, id text, payload jsonb, grant_id text, uid text, account_id text, seconds float8,
        spent_model text, spent_id text, sid text, used_at timestamptz, address inet)),
  spent as (update oidc_payload p set consumed_at = now()
    from (select spent_model, spent_id from asked where spent_model in ('AuthorizationCode', 'RefreshToken') order by spent_model, spent_id) a
    where p.model = a.spent_model and p.id = a.spent_id and consumed_at is null returning p.model, p.id),
  bought as (select * from asked
    where spent_id is null or exists (select from spent where spent.model = spent_model and spent.id = spent_id)),
  saved as (insert into oidc_payload (model, id, payload, grant_id, uid, account_id, expires_at)
    select model, id, payload, grant_id, uid, account_id, expires_at from bought order by model, id
    on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      account_id = excluded.account_id, expires_at = excluded.expires_at),
  used as (insert into session_use (sid, used_at, address)
    select distinct on (sid) sid, used_at, bought.address from bought, lateral (select from session where session.sid = bought.sid limit 1) known
      where sid is not null order by sid, used_at desc
    on conflict (sid) do update set used_at = excluded.used_at, address = excluded.address where session_use.used_at < excluded.used_at)
  select model, encode(id, 'hex') as id from spent`);
/** In one order, so that two processes that are after the same codes do not wait for each other. */
const CONSUME = `update oidc_payload p set consumed_at = now()
  from (select * from unnest($1::text[], $2::bytea[]) asked (model, id) order by model, id) asked
  where p.model = asked.model and p.id = asked.id and consumed_at is null returning p.model, encode(p.id, 'hex') as id`;

const run = async <Answer>(db: Database, statement: string, values: unknown[]): Promise<Answer[]> =>
  (await db.unrecorded.executeQuery<Answer>(CompiledQuery.raw(statement, values))).rows;
const columnsOf = (keys: readonly Key[]): unknown[] => [keys.map(({ model }) => model), keys.map(({ id }) => Buffer.from(id, 'hex'))];
const nameOf = ({ model, id }: Key): string => `${model} ${id}`;

const find = inBatches(async (db, keys: readonly Key[]): Promise<(Found | undefined)[]> => {
  const found: (Found | undefined)[] = keys.map(() => undefined);
  const asked = JSON.stringify(keys.map((key, place) => ({ ...key, place })));
  for (const row of await run<Found & { place: number }>(db, FIND, [asked])) found[row.place] = row;
  return found;
});

/** A row to keep, the code or token it was bought with, and the session whose use it shows. */
type Save = Key & {
  payload: object;
  grant_id: string | null;
  uid: string | null;
  account_id: string | null;
  seconds: number | null;
  spent?: Key | undefined;
  use?: { sid: string; used_at: string; address: string | null } | undefined;
};

/** Whether it was kept: not, when somebody else was first with what it was bought with. Of two that save the same, the later one stays. */
const save = inBatches(async (db, saves: readonly Save[]): Promise<boolean[]> => {
  const rows = new Map<string, object>();
  const buyers = new Map<string, Save>();
  for (const each of saves) {
    const { spent, use, ...row } = each;
    if (spent && buyers.has(nameOf(spent))) continue;
    if (spent) buyers.set(nameOf(spent), each);
    rows.set(nameOf(each), { ...row, ...use, spent_model: spent?.model, spent_id: spent?.id });
  }
  const won = new Set((await run<Key>(db, SAVE, [JSON.stringify([...rows.values()])])).map(nameOf));
  return saves.map(each => !each.spent || (buyers.get(nameOf(each.spent)) === each && won.has(nameOf(each.spent))));
});

/** Whether the call was the first, of all there ever were. */
const consume = inBatches(async (db, keys: readonly Key[]): Promise<boolean[]> => {
  const won = new Set((await run<Key>(db, CONSUME, columnsOf(keys))).map(nameOf));
  // Deleting tells the first of those that asked for the same one.
  return keys.map(key => won.delete(nameOf(key)));
});

/** A request that redeems something: what it uses up goes to the database with the first thing it buys, in one statement. */
type Redemption = { address: string | null; at: string; spent?: Key | undefined };
const redemptions = new WeakMap<object, Redemption>();

/**
 * Handles a request to the token endpoint: a code or refresh token is used up together with what it buys, and its session is in use from
 * this address at this moment. Whatever the request comes to, what it used up stays used.
 * @param ctx of the provider
 * @throws InvalidGrant when it was to succeed without having bought anything, and somebody else was first.
 */
export async function redeem(
  db: Database,
  ctx: { status: number },
  use: { address: string | null; at: Date },
  work: () => Promise<void>,
): Promise<void> {
  const redemption: Redemption = { address: use.address, at: use.at.toISOString() };
  redemptions.set(ctx, redemption);
  const [outcome] = await Promise.allSettled([work()]);
  redemptions.delete(ctx);
  const first = redemption.spent === undefined || (await consume(db, redemption.spent));
  if (outcome.status === 'rejected') throw outcome.reason;
  if (!first && ctx.status < 400) throw new errors.InvalidGrant('already used');
}

const redeemable = new Set(['AuthorizationCode', 'RefreshToken']);
const redemptionUnderWay = (): Redemption | undefined => {
  const here = request();
  return here && redemptions.get(here);
};

/** What the request under way has read along with a code or token, each to be taken once. */
const readAlong = new WeakMap<object, Map<string, AdapterPayload>>();
const request = (): object | undefined => (Provider as unknown as { ctx?: object }).ctx;

function take(key: string): AdapterPayload | undefined {
  const here = request();
  const along = here && readAlong.get(here);
  const known = along?.get(key);
  along?.delete(key);
  return known;
}

/** The person of the code or token the request under way has read, as they were at that moment. */
export const takeLogin = (loginId: string): Login | undefined => take(`Login ${loginId}`) as Login | undefined;

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
    const row = { model: this.#model, id: digest(id), payload: stored, grant_id: grantId, uid, account_id: accountId };
    const redemption = redemptionUnderWay();
    const spent = redemption?.spent;
    if (redemption) delete redemption.spent;
    const sid = redemption && this.#model === 'AccessToken' ? (payload.sid as string | undefined) : undefined;
    const use = sid && { sid, used_at: redemption!.at, address: redemption!.address };
    if (!(await save(this.#db, { ...row, seconds: expiresIn || null, ...(spent && { spent }), ...(use && { use }) })))
      throw new errors.InvalidGrant('already used');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const known = this.#take(id);
    if (known) return { ...known, jti: id };
    const row = await find(this.#db, { model: this.#model, id: digest(id) });
    const payload = asPayload(row);
    if (!payload) return undefined;
    const { grantPayload, sessionPayload, login } = row!;
    const here = request();
    if (here && (grantPayload || sessionPayload || login)) {
      const along = new Map<string, AdapterPayload>();
      if (grantPayload) along.set(`Grant ${payload.grantId}`, grantPayload as AdapterPayload);
      if (sessionPayload) along.set(`Session ${payload.sessionUid}`, sessionPayload as AdapterPayload);
      if (login) along.set(`Login ${payload.accountId}`, login as AdapterPayload);
      readAlong.set(here, along);
    }
    return { ...payload, jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const known = this.#take(uid);
    if (known) return known;
    const [row] = await run<Row>(this.#db, FIND_BY_UID, [this.#model, uid]);
    return asPayload(row);
  }

  /** Only the device flow asks, which is off. */
  async findByUserCode(): Promise<undefined> {}

  /** @throws InvalidGrant when somebody else was first; inside of `redeem` the next `upsert` does. */
  async consume(id: string): Promise<void> {
    const redemption = redemptionUnderWay();
    if (redemption && !redemption.spent && redeemable.has(this.#model)) redemption.spent = { model: this.#model, id: digest(id) };
    else if (!(await consume(this.#db, { model: this.#model, id: digest(id) }))) throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    this.#forgetReadAlong();
    await this.#db.unrecorded
      .deleteFrom('oidcPayload')
      .where('model', '=', this.#model)
      .where('id', '=', Buffer.from(digest(id), 'hex'))
      .execute();
  }

  /** Of this model only: taking the interaction of a running account switch along would break it. */
  async revokeByGrantId(grantId: string): Promise<void> {
    this.#forgetReadAlong();
    await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('grantId', '=', grantId).execute();
  }

  #take(key: string): AdapterPayload | undefined {
    return take(`${this.#model} ${key}`);
  }

  /** What was read before a change may no longer be so. */
  #forgetReadAlong(): void {
    const here = request();
    if (here) readAlong.delete(here);
  }
}

function asPayload(row: Row | undefined): AdapterPayload | undefined {
  if (!row) return undefined;
  const payload = row.payload as AdapterPayload;
  return row.consumedAt === null ? payload : { ...payload, consumed: true };
}

/** Deletes what has expired. */
export async function sweepOidcPayloads(db: Database): Promise<void> {
  await db.unrecorded.deleteFrom('oidcPayload').where('expiresAt', '<', sql<string>`now()`).execute();
}
