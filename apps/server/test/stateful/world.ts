import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { dayIn, daysAfter, HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { addDemoPools } from '../../src/modules/resources/demo-pools.ts';
import { syncRegistryObjects } from '../../src/modules/whois/index.ts';
import { type TestPortal, testPortal } from '../portal.ts';

/** A person with an account they may do everything in. */
export type Actor = { account: string; name: string };
/** A holding of an account. */
export type Holding = {
  account: string;
  resource: string;
  kind: 'ipv4' | 'ipv6' | 'asn';
  first: string;
  last: string;
  firstAs: number;
  status: string;
};

/** A demo registry at play: its people, a clock that acts move, and what happened. */
export type World = {
  portal: TestPortal;
  now: () => Date;
  /** Moves the clock on. */
  advance: (ms: number) => void;
  /** The day so many days from now, as the registry counts them. */
  day: (days: number) => string;
  as: (name: string) => Promise<Client>;
  rows: <Row>(query: RawBuilder<Row>) => Promise<Row[]>;
  /** People with all rights in an account that is not closed; those of accounts that hold something come several times, for more happens there. */
  actors: () => Promise<Actor[]>;
  /** The holdings of accounts, by the ledger. */
  holdings: (account?: string) => Promise<Holding[]>;
  /** Cases whose end the former holder's attacks followed. */
  settled: Set<number>;
  /** Secrets of API keys, by account. */
  keys: Map<string, string[]>;
  /** Acts so far, the newest last. */
  trail: string[];
  /** How often each act ended how. */
  outcomes: Map<string, Map<string, number>>;
  /** Brings whois in line with the ledger, as its process does immediately. */
  syncWhois: () => Promise<void>;
  close: () => Promise<void>;
};

/** People of the demo registry that act, and who are corporate contacts. */
const people = ['corin', 'max', 'olive', 'nils', 'hana'];
/** So many tokens are kept as their time allows. */
const TOKEN_MS = 5 * MINUTE_MS;

/** Opens the demo registry on a clock of its own, with larger holdings, so that there is something to move. */
export async function openWorld({ robot }: { robot: boolean }): Promise<World> {
  let offset = 0;
  const now = (): Date => new Date(Date.now() + offset);
  const portal = await testPortal(undefined, robot ? { ROBOT_HOSTMASTER: 'yes' } : {}, now);
  const clients = new Map<string, { until: number; client: Promise<Client> }>();
  const { db } = portal;
  const world: World = {
    portal,
    now,
    advance: ms => void (offset += ms),
    day: days => daysAfter(dayIn(portal.context.profile.timeZone, now()), days),
    as: name => {
      const known = clients.get(name);
      if (known && known.until > now().getTime()) return known.client;
      const client = portal.as(name);
      clients.set(name, { until: now().getTime() + TOKEN_MS, client });
      return client;
    },
    rows: query => db.read.rows(query),
    actors: () =>
      db.read.rows<Actor>(sql`select c.account_name as account, l.username as name from contact c join login l using (login_id) join account a using (account_name)
        cross join lateral generate_series(1, case when exists (select from delegation d where d.account_name = c.account_name and d.status <> 'closed') then 4 else 1 end)
        where l.username = any(${people}::text[]) and c.status = 'active' and 'corporate' = any(c.contact_types) and a.account_status <> 'closed' order by 1, 2`),
    holdings: account =>
      db.read.rows<Holding>(sql`select account_name as account, resource, kind, host(first) as first, host(last) as last, first_as, status from delegation
        where registry = '' and status <> 'closed' and ${account === undefined ? sql`true` : sql`account_name = ${account}`} order by account_name, first, first_as`),
    settled: new Set(),
    keys: new Map(),
    trail: [],
    outcomes: new Map(),
    syncWhois: async () => {
      const [due] = await db.read.rows(sql`select 1 from whois_due_account limit 1`);
      if (due) await syncRegistryObjects(db, portal.context.profile);
    },
    close: () => portal[Symbol.asyncDispose](),
  };
  // What happened while the demo registry was made is over.
  world.advance(HOUR_MS);
  await equip(world);
  await world.syncWhois();
  return world;
}

/** Gives the registry pools, and every account what most acts need: a maintainer, a certificate, an API key. */
async function equip(world: World): Promise<void> {
  await world.portal.db.change({ action: 'test', summary: 'Added pools', traceId: '0'.repeat(32) }, addDemoPools);
  for (const { account, name } of new Map((await world.actors()).map(actor => [actor.account, actor])).values()) {
    const person = await world.as(name);
    const [own] = await world.rows(sql`select 1 from maintainer_link where account_name = ${account}`);
    if (!own)
      await person(api.whois.createMaintainer, {
        account,
        body: {
          maintainer: `MAINT-${account}`,
          descr: account,
          updTo: ['noc@example.net'],
          person: { name: 'Pat Player', address: ['A street'], country: 'AU', phone: '+61 7 3858 3188', email: 'noc@example.net' },
        },
      } as never);
    await person(api.rpki.enable, { account });
    const made = await person(api.apiKeys.createApiKey, {
      account,
      body: { label: 'drawn', scopes: [...apiScopeKeys], days: 300 },
    } as never);
    const secret = (made.data as { secret?: string } | undefined)?.secret;
    if (secret !== undefined) world.keys.set(account, [secret]);
  }
}
