import type { ContactType } from '@portal/contract';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { addContact, createAccount, type NewAccount } from '../modules/accounts/index.ts';
import { createLogin, demoPasswordOf, addAuthenticator, ensureSigningKeys, setPassword } from '../modules/identity/index.ts';
import type { FileStore } from '../modules/documents/index.ts';
import { recordOrganisation } from '../modules/organisations/index.ts';
import { storeNotification } from '../modules/notifications/index.ts';
import { assign, delegate, holdUntil as lockOf } from '../modules/resources/index.ts';
import { parseResource } from '@portal/number-resources';
import type { Config } from '../config.ts';
import { type ActivityInfo, type Change, type Database, migrate } from '../platform/database/index.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import type { Profile } from '../profile.ts';
import { addDemoAnnouncements } from './announcements.ts';
import { loadDemoBilling } from './billing.ts';
import { addDemoDocuments, demoAccountsWithDocuments } from './documents.ts';
import { addDemoElections } from './elections.ts';
import { addDemoEvents } from './events.ts';
import { demoOrganisations } from './organisations.ts';
import { loadDemoLife } from './life.ts';
import { demoNotifications } from './notifications.ts';
import { demoPeople } from './people.ts';
import { loadDemoWhois } from './whois.ts';

type DemoAccount = Omit<NewAccount, 'expiryDate'> & { memberSince: string };
const account = (
  accountName: string,
  orgName: string,
  memberSince: string,
  { accountType = 'regular', accountStatus = 'open' }: Partial<NewAccount> = {},
): DemoAccount => ({ accountName, orgName, economy: accountName.slice(-2), accountType, accountStatus, memberSince });

/** The accounts of the demo registry; none names a real organisation. */
const accounts: DemoAccount[] = [
  account('EXAMPLE-AU', 'Example Networks Pty Ltd', '2020-12-21'),
  account('SOUTHSITE-NZ', 'Southsite Dairy Limited', '2023-07-19'),
  account('LABNET-AU', 'Labnet Cooperative', '2024-02-01'),
  account('OTHER-SG', 'Other Cloud Pte. Ltd.', '2020-05-11'),
  account('NATREG-XX', 'National Registry of Exampleland', '2002-01-15', { accountType: 'confed-nir' }),
  account('OLDNET-JP', 'Oldnet Research Consortium', '1994-08-30', { accountType: 'historical' }),
  account('CAMPUS-JP', 'Campus Holdings Godo Kaisha', '2015-10-05', { accountType: 'non member' }),
  account('LATE-FJ', 'Late Pacific Telecom', '2019-10-20', { accountStatus: 'suspended' }),
  account('GONE-VU', 'Gone Islands Wireless', '2016-04-04', { accountStatus: 'closed' }),
  ...['BEACON-BD', 'CORAL-KI', 'DELTA-VN', 'ESTUARY-TH', 'FJORD-TL', 'GROVE-LK', 'HARBOUR-HK', 'INLET-ID', 'JETTY-PH', 'KELP-WS'].map(
    name => account(name, `${name[0]}${name.slice(1, -3).toLowerCase()} Group ${name.slice(-2)}`, '2022-09-09'),
  ),
];

/** A day so many days from today. */
const dayFrom = (today: Date, days: number): string => utcDay(today.getTime() + days * DAY_MS);

/** The same day some years earlier; 1 March where there is no 29 February. */
function yearsBefore(day: string, years: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return utcDay(date);
}

/**
 * The end of an account's term. Some are near today whenever the demo is loaded, so that there is something to attend to:
 * EXAMPLE-AU renews in 30 days, LATE-FJ is 32 days late. The others end with their next full year.
 */
function expiryOf({ accountName, accountType, accountStatus, memberSince }: DemoAccount, today: Date): string | null {
  if (accountType === 'historical') return null;
  if (accountName === 'EXAMPLE-AU') return dayFrom(today, 30);
  if (accountStatus === 'suspended') return dayFrom(today, -32);
  if (accountStatus === 'closed') return dayFrom(today, -400);
  const thisYear = `${today.getUTCFullYear()}${memberSince.slice(4)}`;
  return thisYear > dayFrom(today, 0) ? thisYear : `${today.getUTCFullYear() + 1}${memberSince.slice(4)}`;
}

const contacts: Record<string, readonly (readonly [accountName: string, ...types: ContactType[]])[]> = {
  corin: [
    ['EXAMPLE-AU', 'corporate'],
    ['SOUTHSITE-NZ', 'corporate'],
    ['LABNET-AU', 'corporate'],
  ],
  tess: [['EXAMPLE-AU', 'technical']],
  bill: [['EXAMPLE-AU', 'billing']],
  tilda: [['EXAMPLE-AU', 'technical', 'billing']],
  nils: [['NATREG-XX', 'corporate']],
  hana: [
    ['OLDNET-JP', 'corporate'],
    ['CAMPUS-JP', 'corporate'],
  ],
  max: accounts.slice(7).map(({ accountName }) => [accountName, 'corporate'] as const),
  olive: [['OTHER-SG', 'corporate']],
};

type Given = Parameters<typeof delegate>[1] & { resource: string };
const given = (accountName: string, resource: string, delegatedOn: string, type: Given['type'], more: Partial<Given> = {}): Given => ({
  economy: accountName.slice(-2),
  accountName,
  resource,
  delegatedOn,
  type,
  ...more,
});

const holdUntil = ({ resource, delegatedOn = null }: Given, profile: Profile): string | null =>
  lockOf(parseResource(resource), delegatedOn, profile);

/** Documentation and benchmarking resources only (RFC 5737, 2544, 3849, 9637, 5398). */
const delegationsOf = (today: Date): Given[] => [
  given('EXAMPLE-AU', '198.18.0.0/19', '2021-03-02', 'allocated'),
  given('EXAMPLE-AU', '198.18.64.0 - 198.18.66.255', '2022-11-14', 'allocated'),
  // From the last pool: its hold ends in 18 days.
  given('EXAMPLE-AU', '203.0.113.0/24', yearsBefore(dayFrom(today, 18), 5), 'assigned'),
  given('EXAMPLE-AU', '2001:db8::/32', '2021-03-02', 'allocated'),
  given('EXAMPLE-AU', 'AS64500', '2021-03-02', 'allocated'),
  given('EXAMPLE-AU', 'AS65536 - AS65538', '2023-05-30', 'allocated'),
  given('SOUTHSITE-NZ', '192.0.2.0/24', '2023-07-19', 'assigned'),
  given('SOUTHSITE-NZ', '3fff:100::/48', '2023-07-19', 'assigned'),
  given('OTHER-SG', '198.51.100.0/24', '2020-05-11', 'allocated'),
  given('OTHER-SG', '3fff:200::/32', '2020-05-11', 'allocated'),
  given('OTHER-SG', 'AS64501', '2020-05-11', 'allocated'),
  given('NATREG-XX', '198.19.0.0/17', '2002-01-15', 'allocated'),
  given('NATREG-XX', '3fff:400::/24', '2006-06-06', 'allocated'),
  given('NATREG-XX', 'AS64502 - AS64509', '2004-04-01', 'allocated'),
  given('OLDNET-JP', '198.18.128.0/18', '1994-08-30', 'assigned', { source: 'historical' }),
  given('CAMPUS-JP', '198.18.192.0/22', '2015-10-05', 'assigned'),
  given('LATE-FJ', '198.18.200.0/23', '2019-10-20', 'allocated'),
  given('BEACON-BD', '198.18.204.0/22', '2022-09-09', 'allocated'),
  given('BEACON-BD', 'AS64511', '2022-09-09', 'allocated'),
];

type Registered = Parameters<typeof assign>[1];
const infrastructure = (accountName: string, resource: string, netname: string, registeredOn: string): Registered => ({
  accountName,
  resource,
  netname,
  registeredOn,
  type: 'assigned',
  visibility: 'public',
  customer: null,
  economy: accountName.slice(-2),
});
const customer = (
  accountName: string,
  resource: string,
  netname: string,
  name: string,
  registeredOn: string,
  more: Partial<Registered> = {},
): Registered => ({
  ...infrastructure(accountName, resource, netname, registeredOn),
  customer: name,
  visibility: 'private',
  ...more,
});

const registrations: Registered[] = [
  infrastructure('EXAMPLE-AU', '198.18.0.0/23', 'CORE-INFRA', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '198.18.2.0/24', 'POP-SYD-1', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '198.18.3.0/24', 'POP-MEL-1', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '198.18.4.0/22', 'ACCESS-A', '2021-06-14'),
  infrastructure('EXAMPLE-AU', '198.18.8.0/24', 'HOSTING-1', '2022-01-20'),
  infrastructure('EXAMPLE-AU', '198.18.9.0/24', 'HOSTING-2', '2022-01-20'),
  customer('EXAMPLE-AU', '198.18.12.0/23', 'CUST-NORTHWIND', 'Northwind Freight', '2024-08-05', { visibility: 'public' }),
  customer('EXAMPLE-AU', '198.18.14.0/25', 'CUST-ELDER', 'Elder Care Trust', '2023-11-11'),
  customer('EXAMPLE-AU', '198.18.14.128/26', 'CUST-PINE', 'Pine Timber Supplies', '2024-02-27'),
  infrastructure('EXAMPLE-AU', '198.18.15.0/24', 'VOICE', '2022-05-02'),
  infrastructure('EXAMPLE-AU', '198.18.16.0/21', 'CGN-PUBLIC', '2021-09-01'),
  customer('EXAMPLE-AU', '198.18.24.0/24', 'CUST-HARVEST', 'Harvest Markets', '2025-01-16', { type: 'allocated', visibility: 'public' }),
  customer('EXAMPLE-AU', '198.18.24.0/26', 'HARVEST-SHOPS', 'Harvest Markets', '2025-01-20', { visibility: 'public' }),
  customer('EXAMPLE-AU', '198.18.24.128/26', 'HARVEST-DEPOT', 'Harvest Markets', '2025-03-03', { visibility: 'public' }),
  infrastructure('EXAMPLE-AU', '198.18.30.0/24', 'LAB', '2025-09-30'),
  infrastructure('EXAMPLE-AU', '198.18.64.0/23', 'ACCESS-B', '2022-11-20'),
  infrastructure('EXAMPLE-AU', '2001:db8::/36', 'V6-CORE', '2021-03-02'),
  infrastructure('EXAMPLE-AU', '2001:db8:1000::/36', 'V6-ACCESS', '2021-06-14'),
  infrastructure('EXAMPLE-AU', '2001:db8:2000::/36', 'V6-HOSTING', '2022-01-20'),
  customer('EXAMPLE-AU', '2001:db8:8000::/40', 'V6-NORTHWIND', 'Northwind Freight', '2024-08-05', { visibility: 'public' }),
  customer('EXAMPLE-AU', '2001:db8:8100::/48', 'V6-ELDER', 'Elder Care Trust', '2023-11-11'),
  infrastructure('OTHER-SG', '198.51.100.0/25', 'OTHER-EDGE', '2020-05-11'),
  infrastructure('NATREG-XX', '198.19.0.0/20', 'NATREG-POOL-1', '2003-03-03'),
];

const activity = (action: string, summary: string, accountName?: string): ActivityInfo => ({
  action: `demo.${action}`,
  summary,
  traceId: '0'.repeat(32),
  accountName,
});

/** The last step of the load: when its line is there, all before it is. */
const lastStep = activity('tell', 'Notified the demo people');

/** Returns how much of the demo registry is there: `part` when a program that loaded it was ended meanwhile. */
async function howMuchOfDemo(db: Database): Promise<'none' | 'part' | 'all'> {
  const [found] = await db.read.rows<{ begun: boolean; ended: boolean }>(sql`select
    exists (select from login where demo_role is not null) as begun,
    exists (select from activity where action = ${lastStep.action} and refusal is null) as ended`);
  return found!.ended ? 'all' : found!.begun ? 'part' : 'none';
}

/**
 * Loads the demo registry unless it is there. Half of one is deleted first, as long as no one has done anything in it.
 * @throws Error where people have worked in half of a demo registry
 */
export async function ensureDemo(db: Database, options: DemoOptions): Promise<{ loaded: boolean }> {
  const found = await howMuchOfDemo(db);
  if (found === 'all') return { loaded: false };
  if (found === 'part') {
    const [worked] = await db.read.rows(sql`select from activity where login_subject is not null limit 1`);
    if (worked)
      throw new Error(
        'The demo registry was loaded in part only, and it was changed since. "demo reset --yes" deletes everything and loads it anew.',
      );
    await emptyDatabase(db);
  }
  await loadDemo(db, options);
  return { loaded: true };
}

/** Deletes everything in the database, and makes its tables anew. */
export async function emptyDatabase(db: Database): Promise<void> {
  await sql`drop schema if exists graphile_worker cascade`.execute(db.unrecorded);
  await sql`drop schema public cascade`.execute(db.unrecorded);
  await sql`create schema public`.execute(db.unrecorded);
  await migrate(db);
}

/** Without a file store it has neither documents nor invoices. */
export type DemoOptions = { config: Config; profile: Profile; today: Date; store: FileStore | null };

/**
 * Builds the demo registry through the domain functions, so that its data obeys every rule: people, accounts, contacts,
 * delegations, registrations. One change an account, so that its activity log starts with its own history.
 */
export async function loadDemo(db: Database, { config, profile, today, store }: DemoOptions): Promise<void> {
  await ensureSigningKeys(db, openSecretBox(config), '0'.repeat(32));
  const logins = await db.change(activity('people', 'Created the demo people'), change => createPeople(change, config));
  for (const opened of accounts) {
    const { accountName } = opened;
    await db.change(activity('openAccount', 'Opened the account', accountName), async change => {
      await createAccount(change, { ...opened, expiryDate: expiryOf(opened, today) });
      const known = demoOrganisations.get(accountName);
      if (known) await recordOrganisation(change, accountName, known);
      for (const [username, memberships] of Object.entries(contacts)) {
        for (const [name, ...contactTypes] of memberships) {
          if (name !== accountName) continue;
          const { loginId, fullName, email } = logins.get(username)!;
          await addContact(change, { accountName, loginId, fullName, email, contactTypes });
        }
      }
    });
    const held = delegationsOf(today).filter(delegation => delegation.accountName === accountName);
    if (held.length > 0) {
      await db.change(
        activity('delegate', held.length === 1 ? `Delegated ${held[0]!.resource}` : `Delegated ${held.length} resources`, accountName),
        async change => {
          for (const delegation of held) await delegate(change, { ...delegation, holdUntil: holdUntil(delegation, profile) });
        },
      );
    }
    const registered = registrations.filter(registration => registration.accountName === accountName);
    if (registered.length > 0) {
      await db.change(
        activity('assign', `Registered ${registered.length === 1 ? registered[0]!.netname : `${registered.length} networks`}`, accountName),
        async change => {
          for (const registration of registered) await assign(change, registration);
        },
      );
    }
  }
  for (const accountName of store ? demoAccountsWithDocuments : [])
    await db.change(activity('documents', 'Imported documents', accountName), change =>
      addDemoDocuments(change, { accountName, store: store!, logins, today }),
    );
  if (store)
    await loadDemoBilling(db, {
      profile,
      store,
      fonts: config.certificateFonts,
      today,
      recordedBy: logins.get('stella')!.loginId,
    });
  await loadDemoWhois(db, profile);
  await db.change(activity('elections', 'Published the demo elections'), change => addDemoElections(change, today));
  await db.change(activity('events', 'Published the demo events'), change => addDemoEvents(change, today));
  await db.change(activity('announcements', 'Wrote the demo announcements'), change => addDemoAnnouncements(change, today));
  if (store) await loadDemoLife(db, { config, profile, logins, today, store });
  await db.change(lastStep, async change => {
    for (const [username, news] of Object.entries(demoNotifications))
      for (const each of news) await storeNotification(change, each, logins.get(username)!.loginId);
  });
}

type Login = { loginId: string; fullName: string; email: string };

async function createPeople(change: Change, config: Config): Promise<Map<string, Login>> {
  const logins = new Map<string, Login>();
  for (const { username, fullName, email, about, totpSecret, staff } of demoPeople) {
    const loginId = await createLogin(change, { username, fullName, email, staff: staff ?? false, emailVerified: true, demoRole: about });
    await setPassword(change, loginId, demoPasswordOf(username));
    if (totpSecret) await addAuthenticator(change, config, { loginId, secret: totpSecret });
    logins.set(username, { loginId, fullName, email });
  }
  return logins;
}
