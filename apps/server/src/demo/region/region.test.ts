import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../../test/database/migrated-database.ts';
import { demoDatabase, kindsForRules } from '../../../test/portal.ts';
import { readConfig } from '../../config.ts';
import { modules } from '../../modules.ts';
import { createAccount } from '../../modules/accounts/index.ts';
import { verifyWhois } from '../../modules/whois/index.ts';
import { type Database, ownActivity, verify } from '../../platform/database/index.ts';
import { checkInvariants } from '../../platform/invariants.ts';
import { readProfile } from '../../profile.ts';
import { makeRegion, sizeOfRegion } from './region.ts';

const size = sizeOfRegion({ accounts: 20, tickets: 60, activities: 400 });
const profile = readProfile('');
const today = new Date();

/** Contents of a region, without the instants at which it was written, and without ids drawn at random. */
const contents: Record<string, ReturnType<typeof sql>> = {
  accounts: sql`select account_name, org_name, account_type, economy, member_since, expiry_date from account where statistics_id is not null order by 1`,
  people: sql`select c.account_name, l.username, l.email, c.contact_types, c.permissions from contact c join login l using (login_id)
    where exists (select from account a where a.account_name = c.account_name and a.statistics_id is not null) order by 1, 2`,
  delegations: sql`select resource, account_name, type, delegated_on, economy from delegation order by first, first_as`,
  whois: sql`select class, key, version, regexp_replace(text, 'last-modified: .*', '') as text from whois_object order by 1, 2`,
  invoices: sql`select number, account_name, issued_on, total, paid, credited, state from invoice where account_name like 'EXAMPLE-H%' order by 1`,
  payments: sql`select reference, amount, received_on from payment order by 1`,
  notes: sql`select number, total, tax, issued_on from credit_note order by 1`,
  roas: sql`select account_name, prefix, asn, max_length from roa order by 1, 2, 3`,
  routes: sql`select account_name, prefix, asn, roa, whois from route order by 1, 2, 3`,
  tickets: sql`select t.queue, t.subject, t.state, t.account_name, t.created_at, m.by, m.content, m.at from ticket t join ticket_message m using (ticket_id)
    where t.account_name like 'EXAMPLE-H%' order by t.ticket_id, m.ticket_message_id`,
  requests: sql`select account_name, kind, state, submitted_at, resolved_at, note, outcome from resource_request where account_name like 'EXAMPLE-H%' order by 1, 2`,
  keys: sql`select k.account_name, l.username, k.scopes, k.created_at, count(u.day)::int as days, sum(u.calls) as calls from api_key k join login l using (login_id)
    left join api_key_use u using (api_key_id) where k.account_name like 'EXAMPLE-H%' group by 1, 2, 3, 4 order by 1, 2`,
  zones: sql`select zone, state, dnssec, problem, signatures_end from rdns_zone order by 1`,
  voters: sql`select e.title, v.account_name, v.votes, v.cast_at from election_vote v join election e using (election_id) order by 1, 2`,
  ballots: sql`select e.title, b.receipt, b.votes, b.choices from ballot b join election e using (election_id) where e.title like 'By-law 73%' order by 1, 2`,
  webhooks: sql`select w.account_name, w.url, w.created_at, count(d.delivery_id)::int as deliveries from webhook w left join webhook_delivery d using (webhook_id)
    where w.account_name like 'EXAMPLE-H%' group by 1, 2, 3 order by 1`,
  log: sql`select happened_at, action, account_name, trace_id, address from activity where account_name like 'EXAMPLE-H%' order by activity_id`,
};

async function digestsOf(db: Database): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [name, query] of Object.entries(contents)) {
    const rows = await db.read.rows(query);
    digests[name] = `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex')}`;
  }
  return digests;
}

describe.each(kindsForRules)('a demo region on %s', kind => {
  let folder: string;
  let closing: AsyncDisposableStack;
  const openDemo = async (): Promise<Database> => {
    const { db, drop } = await demoDatabase(kind);
    closing.defer(drop);
    return db;
  };
  const make = (db: Database, more: { onProgress?: (title: string) => void; size?: typeof size } = {}) =>
    makeRegion(db, {
      size,
      config: readConfig({ NODE_ENV: 'test', DATA_DIR: folder }),
      profile,
      today,
      statistics: null,
      announcements: null,
      ...more,
    });
  beforeEach(async () => {
    closing = new AsyncDisposableStack();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-region-'));
  });
  afterEach(async () => {
    await closing.disposeAsync();
    await fs.rm(folder, { recursive: true, force: true });
  });

  test('breaks no rule of the registry, and one that was ended at any stage goes on to the same rows', async () => {
    const whole = await openDemo();
    const { stages } = await make(whole);
    expect((await verify(whole)).problems).toEqual([]);
    expect(
      (await whole.rehearse(ownActivity('operator.verify', 'Looked'), change => verifyWhois(change), { timeout: 0 })).problems,
    ).toEqual([]);
    const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder });
    expect(await checkInvariants({ db: whole, modules, profile, config, clock: () => today }, null)).toEqual([]);
    expect((await whole.read.rows(sql`select from whois_due_account`)).length).toBe(0);
    const digests = await digestsOf(whole);
    expect(Object.entries(digests).filter(([, digest]) => digest.startsWith('0 '))).toEqual([]);

    const halting = await openDemo();
    for (const { title } of stages)
      await expect(
        make(halting, {
          onProgress: stage => {
            if (stage === title) throw new Error(`ended in ${title}`);
          },
        }),
      ).rejects.toThrow(/^ended in /);
    await make(halting);
    expect(await digestsOf(halting)).toEqual(digests);
    expect((await verify(halting)).problems).toEqual([]);
    expect((await make(halting)).stages).toEqual([]);
    await expect(make(halting, { size: { ...size, seed: 2 } })).rejects.toThrow(
      'A region of another size was begun here (--seed 1 --accounts 20',
    );
  });

  test('is not made in a registry that is none of the demo', async () => {
    const { database: db } = closing.use(await migratedDatabase(kind));
    await db.change(ownActivity('operator.verify', 'Opened an account'), change =>
      createAccount(change, { accountName: 'REAL-AU', accountStatus: 'open', accountType: 'regular', orgName: 'Real', economy: 'AU' }),
    );
    await expect(make(db)).rejects.toThrow('This database holds a registry that is no demo registry.');
    expect(await db.read.rows(sql`select account_name from account`)).toEqual([{ accountName: 'REAL-AU' }]);
  });
});
