import type { ContactType } from '@portal/contract';
import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { addContact, createAccount, type NewAccount } from '../modules/accounts/index.ts';
import { createLogin, demoPasswordOf, addAuthenticator, ensureSigningKeys, setPassword } from '../modules/identity/index.ts';
import { addOwnRole, assignRole } from '../modules/roles/index.ts';
import type { FileStore } from '../modules/documents/index.ts';
import { modules } from '../modules.ts';
import { type ActivityInfo, type Change, type Database, migrate } from '../platform/database/index.ts';
import type { DemoLogin, DemoPart, DemoRegistry } from '../platform/demo.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import type { Profile } from '../profile.ts';
import { demoRegistry } from './demo-registry.ts';
import { demoPeople } from './people.ts';

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

/**
 * The end of an account's term. Some are near today whenever the demo is loaded, so that there is something to attend to:
 * EXAMPLE-AU renews in 30 days, LATE-FJ is 32 days late, and GONE-VU was closed 40 days ago. The others end with their next full year.
 */
function expiryOf({ accountName, accountType, accountStatus, memberSince }: DemoAccount, today: Date): string | null {
  if (accountType === 'historical') return null;
  if (accountName === 'EXAMPLE-AU') return dayFrom(today, 30);
  if (accountStatus === 'suspended') return dayFrom(today, -32);
  if (accountStatus === 'closed') return dayFrom(today, -100);
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

const activity = (action: string, summary: string, accountName?: string, happenedAt?: string): ActivityInfo => ({
  action: `demo.${action}`,
  summary,
  traceId: '0'.repeat(32),
  accountName,
  ...(happenedAt && { happenedAt }),
});

/** The last step of the load: when its line is there, all before it is. */
const lastStep = activity('tell', 'Loaded the demo registry');

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

/**
 * Deletes everything in the database, and makes its tables anew.
 * @throws Error where the ballot box belongs to another role (docs/decisions/0144-ballot-box-schema.md)
 */
export async function emptyDatabase(db: Database): Promise<void> {
  try {
    await sql`drop schema if exists ballots cascade`.execute(db.unrecorded);
  } catch (error) {
    throw new Error('The ballot box belongs to a role of its own. As an administrator: drop schema ballots cascade; then try again.', {
      cause: error,
    });
  }
  await sql`drop schema if exists graphile_worker cascade`.execute(db.unrecorded);
  await sql`drop schema public cascade`.execute(db.unrecorded);
  await sql`create schema public`.execute(db.unrecorded);
  await migrate(db);
}

/** Without a file store the registry has neither documents nor invoices, and people are in the middle of nothing: tests begin with it. */
export type DemoOptions = { config: Config; profile: Profile; today: Date; store: FileStore | null };

/**
 * Builds the demo registry through the domain functions, so that its data obeys every rule: people and their accounts, then the part of each module, in the order
 * of the line-up. One change an account, so that its activity log starts with its own history.
 */
export async function loadDemo(db: Database, options: DemoOptions): Promise<void> {
  const { config, today, store } = options;
  await ensureSigningKeys(db, openSecretBox(config), '0'.repeat(32));
  const logins = await db.change(activity('people', 'Created the demo people'), change => createPeople(change, config));
  for (const opened of accounts) {
    const { accountName, memberSince } = opened;
    await db.change(activity('openAccount', 'Opened the account', accountName, `${memberSince}T03:00:00.000Z`), async change => {
      await createAccount(change, { ...opened, expiryDate: expiryOf(opened, today) });
      for (const [username, memberships] of Object.entries(contacts)) {
        for (const [name, ...contactTypes] of memberships) {
          if (name !== accountName) continue;
          const { loginId, fullName, email } = logins.get(username)!;
          await addContact(change, { accountName, loginId, fullName, email, contactTypes });
        }
      }
    });
  }
  await db.change(activity('roles', 'Gave registry staff their roles', undefined, instantBefore(today, ROLE_DAYS * DAY_MS)), change =>
    giveRoles(change, logins, options),
  );
  const registry = demoRegistry(db, options, logins);
  for (const { addDemo } of await partsOfModules()) await addDemo?.(registry);
  if (store) await addDemoLife(registry);
  await db.change(lastStep, async () => {});
}

const partsOfModules = (): Promise<DemoPart[]> => Promise.all(modules.map(async ({ demo }) => (await demo?.()) ?? {}));

/** Adds what people are in the middle of: requests that wait, for members and for the registry, bulk updates with their reports, a vote that is open. */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  for (const part of await partsOfModules()) await part.addDemoLife?.(registry);
}

/** Days for which the demo's staff have had their roles. */
const ROLE_DAYS = 400;

/** Gives the demo's staff their roles, some kept in a review by a colleague. The administrators have theirs from the command line. */
async function giveRoles(change: Change, logins: ReadonlyMap<string, DemoLogin>, { profile, today }: DemoOptions): Promise<void> {
  const dated = Object.assign(change, { now: instantBefore(today, ROLE_DAYS * DAY_MS) });
  const fees = await addOwnRole(dated, { name: 'Fees', permissions: ['policy'] });
  const ola = logins.get('ola')!;
  for (const { username, fullName, roles = [] } of demoPeople)
    for (const role of roles) {
      const given = { role: role === 'Fees' ? fees : role, reason: 'Works for the demo registry' };
      await assignRole(dated, { ...logins.get(username)!, fullName }, given, {
        by: roles.includes('administrator') ? null : ola.loginId,
        profile,
      });
    }
}

async function createPeople(change: Change, config: Config): Promise<Map<string, DemoLogin>> {
  const logins = new Map<string, DemoLogin>();
  for (const { username, fullName, email, about, totpSecret, roles } of demoPeople) {
    const loginId = await createLogin(change, {
      username,
      fullName,
      email,
      staff: roles !== undefined,
      emailVerified: true,
      demoRole: about,
    });
    await setPassword(change, loginId, demoPasswordOf(username));
    if (totpSecret) await addAuthenticator(change, config, { loginId, secret: totpSecret });
    logins.set(username, { loginId, fullName, email });
  }
  return logins;
}
