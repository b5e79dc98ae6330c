import { hash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import Provider, { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { type Database, inBatches, type JsonValue, prepared } from '../../../platform/database/index.ts';
import { type Login, loginAsJson } from '../logins/logins.ts';
import { closeSessions, idOf } from '../sessions/provider-sessions.ts';

/** Returns the hexadecimal digest an id is stored under. */
const digest = (id: string): string => hash('sha256', id, 'hex');

type Row = { payload: JsonValue; consumedAt: string | null };
type Found = Row & { grantPayload: JsonValue; sessionPayload: JsonValue; login: JsonValue };
type Key = { model: string; id: string };

/* The statements of every token request, written out: building them each time costs more than sending them. */
const kept = (table: string): string => `(${table}.expires_at is null or ${table}.expires_at > now())`;
const buys = (table: string): string => `${table}.model in ('AuthorizationCode', 'AccessToken', 'RefreshToken')`;
const FIND_BY_UID = `select payload, consumed_at from oidc_payload p where model = $1 and uid = $2 and ${kept('p')}`;
/**
 * Reads, with a code or token, what the provider needs next: its grant, its session and its person. Each by its index,
 * whatever size the table had when the statement was planned. Array parameters would be planned every time, because of their length.
 */
const FIND = prepared(`select asked.place, p.payload, p.consumed_at, g.payload as grant_payload, s.payload as session_payload, l.login
  from jsonb_to_recordset($1) asked (model text, id text, place integer)
  join lateral (select * from oidc_payload p where p.model = asked.model and p.id = decode(asked.id, 'hex') and ${kept('p')} limit 1) p on true
  left join lateral (select g.payload from oidc_payload g
    where g.model = 'Grant' and g.id = sha256(convert_to(p.grant_id, 'UTF8')) and ${kept('g')} limit 1) g on ${buys('p')}
  left join lateral (select s.payload from oidc_payload s
    where s.model = 'Session' and s.uid = p.payload->>'sessionUid' and ${kept('s')} limit 1) s on ${buys('p')}
  left join lateral (select ${loginAsJson('l')} as login from login l where login_id = p.account_id limit 1) l on ${buys('p')}`);
const ASKED = `select model, decode(id, 'hex') as id, payload, grant_id, uid, account_id, now() + make_interval(secs => seconds) as expires_at`;
const COLUMNS = 'model text, id text, payload jsonb, grant_id text, uid text, account_id text, seconds float8';
/** Stores rows, the later of two with the same id; a closed session stays closed. */
const SAVE = prepared(`insert into oidc_payload (model, id, payload, grant_id, uid, account_id, expires_at)
  ${ASKED} from jsonb_to_recordset($1) saved (${COLUMNS}) order by model, id
  on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    account_id = excluded.account_id, expires_at = excluded.expires_at
  where oidc_payload.model <> 'Session' or oidc_payload.consumed_at is null`);
/**
 * Stores what a code or refresh token yields if it is unused, and marks it used. Rows are locked in one order, so that two processes that want the
 * same ones don't deadlock. Each is found by its index: naming their kinds makes the planner
 * expect few. The new rows can't conflict: their ids are new.
 */
const BUY = prepared(`with asked as materialized (${ASKED}, spent_model, decode(spent_id, 'hex') as spent_id
      from jsonb_to_recordset($1) bought (${COLUMNS}, spent_model text, spent_id text)),
  spent as (update oidc_payload p set consumed_at = now()
    from (select spent_model, spent_id from asked where spent_model in ('AuthorizationCode', 'RefreshToken') order by spent_model, spent_id) a
    where p.model = a.spent_model and p.id = a.spent_id and consumed_at is null returning p.model, p.id)
  insert into oidc_payload (model, id, payload, grant_id, uid, account_id, expires_at)
    select asked.model, asked.id, payload, grant_id, uid, account_id, expires_at from asked join spent on spent.id = spent_id and spent.model = spent_model
    returning encode(id, 'hex') as id`);
/** In one order, so that two processes that want the same codes don't deadlock. */
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

/** A row to keep. */
type Save = Key & { payload: object; grant_id: string | null; uid: string | null; account_id: string | null; seconds: number | null };

/** Of two concurrent saves of one id the later wins. */
const save = inBatches(async (db, rows: readonly Save[]): Promise<void[]> => {
  const last = new Map(rows.map(row => [nameOf(row), row]));
  await run(db, SAVE, [JSON.stringify([...last.values()])]);
  return rows.map(() => {});
});

/** Returns whether it was stored: false if the code or token had been used already. */
const buy = inBatches(async (db, asked: readonly { row: Save; spent: Key }[]): Promise<boolean[]> => {
  const buyers = new Map<string, Save>();
  const rows: object[] = [];
  for (const { row, spent } of asked) {
    if (buyers.has(nameOf(spent))) continue;
    buyers.set(nameOf(spent), row);
    rows.push({ ...row, spent_model: spent.model, spent_id: spent.id });
  }
  const kept = new Set((await run<{ id: string }>(db, BUY, [JSON.stringify(rows)])).map(({ id }) => id));
  return asked.map(({ row, spent }) => buyers.get(nameOf(spent)) === row && kept.has(row.id));
});

/** Returns whether the call was the first ever to use it. */
const consume = inBatches(async (db, keys: readonly Key[]): Promise<boolean[]> => {
  const won = new Set((await run<Key>(db, CONSUME, columnsOf(keys))).map(nameOf));
  // Deletion tells which of concurrent calls was first.
  return keys.map(key => won.delete(nameOf(key)));
});

/** A request that redeems a code or token: it is used up in the same statement that stores the first thing it yields. */
type Redemption = { spent?: Key | undefined; bought?: Promise<boolean> };
const redemptions = new WeakMap<object, Redemption>();

type TokenAnswer = { status: number; body: unknown };

/**
 * Handles a request to the token endpoint: a code or refresh token is used up together with storing what it yields. Meanwhile the
 * provider continues and signs; no answer leaves before both are done, and if another call was first, that is the answer (RFC 6749, 5.2).
 * The code or token stays used whatever the outcome.
 * @param ctx context of the provider
 * @returns whether another call was first with the same code or token
 * @throws everything the work or the database throws
 */
export async function redeem(db: Database, ctx: TokenAnswer, work: () => Promise<void>): Promise<boolean> {
  const redemption: Redemption = {};
  redemptions.set(ctx, redemption);
  const [outcome] = await Promise.allSettled([work()]);
  redemptions.delete(ctx);
  const { spent, bought } = redemption;
  const first = await (spent ? consume(db, spent) : (bought ?? true));
  if (outcome.status === 'rejected') throw outcome.reason;
  if (first || ctx.status >= 400) return !first;
  const { error, error_description, statusCode } = new errors.InvalidGrant('already used');
  ctx.status = statusCode;
  ctx.body = { error, error_description };
  return true;
}

const redeemable = new Set(['AuthorizationCode', 'RefreshToken']);
const currentRedemption = (): Redemption | undefined => {
  const here = request();
  return here && redemptions.get(here);
};

/** Payloads that the current request has read with a code or token, each for one use. */
const readAlong = new WeakMap<object, Map<string, AdapterPayload>>();
const request = (): object | undefined => (Provider as unknown as { ctx?: object }).ctx;

function take(key: string): AdapterPayload | undefined {
  const here = request();
  const along = here && readAlong.get(here);
  const known = along?.get(key);
  along?.delete(key);
  return known;
}

/** The person of the code or token that the current request has read, as of that moment. */
export const takeLogin = (loginId: string): Login | undefined => take(`Login ${loginId}`) as Login | undefined;

/**
 * Stores the sessions, interactions, codes and tokens of the OpenID provider (table oidc_payload). Ids give access to sessions and tokens, so only
 * their SHA-256 is stored. A code works once, also under concurrency.
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
    const row = {
      model: this.#model,
      id: digest(id),
      payload: stored,
      grant_id: grantId,
      uid,
      account_id: accountId,
      seconds: expiresIn || null,
    };
    const redemption = currentRedemption();
    if (redemption?.bought && !(await redemption.bought)) throw new errors.InvalidGrant('already used');
    const spent = redemption?.spent;
    if (!spent) return save(this.#db, row);
    delete redemption.spent;
    redemption.bought = buy(this.#db, { row, spent });
    // `redeem` waits for it, and hears if it fails.
    redemption.bought.catch(() => {});
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const known = this.#take(id);
    if (known) return { ...known, jti: id };
    const row = await find(this.#db, { model: this.#model, id: digest(id) });
    const payload = asPayload(row);
    if (!payload || (this.#model === 'Session' && payload.consumed)) return undefined;
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

  /** @throws InvalidGrant if another call was first; inside `redeem` this is found out when the purchase is stored. */
  async consume(id: string): Promise<void> {
    const redemption = currentRedemption();
    if (redemption && !redemption.spent && redeemable.has(this.#model)) redemption.spent = { model: this.#model, id: digest(id) };
    else if (!(await consume(this.#db, { model: this.#model, id: digest(id) }))) throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    this.#forgetReadAlong();
    if (this.#model === 'Session') await closeSessions(this.#db.unrecorded, sql`id = ${idOf(id)}`);
    else await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('id', '=', idOf(id)).execute();
  }

  /** This model only: revoking the interaction of a running account switch too would break it. */
  async revokeByGrantId(grantId: string): Promise<void> {
    this.#forgetReadAlong();
    await this.#db.unrecorded.deleteFrom('oidcPayload').where('model', '=', this.#model).where('grantId', '=', grantId).execute();
  }

  #take(key: string): AdapterPayload | undefined {
    return take(`${this.#model} ${key}`);
  }

  /** Payloads read before a change may be outdated. */
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
