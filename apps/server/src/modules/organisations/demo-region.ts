import type { ContactType } from '@portal/contract';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Random, Region, RegionPart, RegionStage } from '../../platform/demo.ts';
import { addContacts, describeAccounts } from '../accounts/index.ts';
import { addAuthenticator, createLogin, createLogins, demoPasswordOf, setPassword } from '../identity/index.ts';

/** Rows of one part. */
const AT_ONCE = 2_000;

/** An account of the region. */
type Holder = { accountName: string; economy: string | null; since: string | null; delegations: number };

/** Holders of the region's statistics, by name. */
const holdersOf = (read: Pick<Read, 'rows'>): Promise<Holder[]> =>
  read.rows<Holder>(sql`select account_name, a.economy, min(d.delegated_on)::text as since, count(*)::int as delegations
    from account a join delegation d using (account_name) where a.statistics_id is not null group by account_name order by account_name`);

/** The largest holder first, then the next ones. */
const bySize = (holders: readonly Holder[]): Holder[] => holders.toSorted((a, b) => b.delegations - a.delegations);

const partsOf = <Row>(rows: readonly Row[], write: (change: Change, some: readonly Row[], part: number) => Promise<number>): RegionPart[] =>
  Array.from(
    { length: Math.ceil(rows.length / AT_ONCE) },
    (_, part) => change => write(change, rows.slice(part * AT_ONCE, (part + 1) * AT_ONCE), part),
  );

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!;

const names = {
  first:
    'Aarav Aiko Amara Anika Arjun Bao Chen Dewi Divya Eko Farah Grace Hiroshi Ines Jack Jin Kavya Kenji Lani Leila Linh Mei Minh Nadeem Nina Noor Olivia Priya Rahul Rosa Sakura Siti Sione Tama Thuy Uma Wei Xin Yuki Zara'.split(
      ' ',
    ),
  last: 'Abe Ahmed Bui Chand Cheng Dang Fernando Gupta Hassan Ibrahim Iyer Kaur Kim Kumar Lam Le Lim Lin Mori Naidu Nakamura Ng Nguyen Okada Park Perera Rahman Reyes Santos Sato Sharma Singh Tan Taufa Tran Walker Wong Yamada Yusof Zhang'.split(
    ' ',
  ),
  place:
    'Banyan Basalt Bayside Coral Delta Eastern Estuary Frangipani Gateway Harbour Highland Island Kauri Lagoon Lotus Mangrove Monsoon Northern Orchid Outback Pacific Palm Reef Ridge Riverside Saffron Southern Summit Sunrise Tasman Tidal Upland Valley Western'.split(
      ' ',
    ),
  trade:
    'Broadband Cable Carrier Cloud Colocation Communications Data Digital Exchange Fibre Hosting Internet Networks Online Research Satellite Telecom University Wireless'.split(
      ' ',
    ),
  form: ['Limited', 'Pty Ltd', 'Pte. Ltd.', 'Co., Ltd.', 'Private Limited', 'Cooperative', 'Trust', 'Group'],
  city: 'Ashford Bellbird Clearwater Dunmore Eastport Fairhaven Glenmore Hillview Kingsbay Lakeside Millbrook Newhaven Oakdale Portview Seabrook Westgate'.split(
    ' ',
  ),
};

const domainOf = (accountName: string): string => `${accountName.toLowerCase()}.example`;

/** Days over which the terms of the accounts end; the first of them ended already, and their invoices are open. */
const TERM_ENDS = { first: -20, days: 365 };

const organisations: RegionStage = {
  name: 'organisations',
  title: 'Organisations',
  parts: async ({ db, plan, random }) => {
    const holders = await holdersOf(db.read);
    const nir = bySize(holders)[1]?.accountName;
    return partsOf(holders, async (change, some, part) => {
      const next = random(`organisations ${part}`);
      const rows = some.map(({ accountName, since }) => ({
        accountName,
        orgName: `${pick(next, names.place)} ${pick(next, names.trade)} ${pick(next, names.form)}`,
        accountType: accountName === nir ? ('confed-nir' as const) : ('regular' as const),
        memberSince: since ?? '1998-07-01',
        expiryDate: daysAfter(plan.today, TERM_ENDS.first + next(TERM_ENDS.days)),
        street: `${1 + next(400)} ${pick(next, names.place)} Street`,
        city: pick(next, names.city),
        postcode: String(1000 + next(9000)),
        phone: `+61 7 5550 ${String(next(10_000)).padStart(4, '0')}`,
      }));
      await describeAccounts(change, rows);
      const details = rows.map(({ accountName, street, city, postcode, phone }) => ({
        account_name: accountName,
        postal_address: [street],
        city,
        postcode,
        phone,
        website: `https://www.${domainOf(accountName)}`,
        abuse_email: `abuse@${domainOf(accountName)}`,
        billing_email: `accounts@${domainOf(accountName)}`,
      }));
      await change.rows(sql`insert into organisation (account_name, organisation_type, postal_address, city, postcode, phone, website, abuse_email, billing_email)
        select account_name, 'company', postal_address, city, postcode, phone, website, abuse_email, billing_email from jsonb_to_recordset(${JSON.stringify(details)}::jsonb)
          as w (account_name text, postal_address text[], city text, postcode text, phone text, website text, abuse_email text, billing_email text)`);
      return 2 * rows.length;
    });
  },
};

/** People for each account, in the proportions of a large region. */
const PEOPLE = 30_000 / 12_849;

type Person = {
  loginId: string;
  username: string;
  fullName: string;
  email: string;
  phone: string;
  memberships: Map<string, ContactType[]>;
};

/** The people of a region: each account has one or two of its own, and an eighth of all are contacts of more, up to twelve. */
function peopleOf(holders: readonly Holder[], random: Region['random']): Person[] {
  const next = random('people');
  const uuid = (): string => {
    const digits = Array.from({ length: 32 }, () => next(16).toString(16)).join('');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
  };
  return Array.from({ length: Math.round(holders.length * PEOPLE) }, (_, place) => {
    const fullName = `${pick(next, names.first)} ${pick(next, names.last)}`;
    const base = holders[place % holders.length]!.accountName;
    const round = Math.floor(place / holders.length);
    const memberships = new Map<string, ContactType[]>([
      [base, round === 0 ? ['corporate'] : round === 1 ? ['technical'] : ['technical', 'billing']],
    ]);
    if (next(8) === 0)
      for (let more = 1 + next(1 + next(11)); more > 0; more--) memberships.set(pick(next, holders).accountName, memberships.get(base)!);
    const username = `${fullName.toLowerCase().replace(' ', '.')}.${place + 1}`;
    return {
      loginId: uuid(),
      username,
      fullName,
      email: `${username}@${domainOf(base)}`,
      phone: `+61 7 5550 ${String(next(10_000)).padStart(4, '0')}`,
      memberships,
    };
  });
}

const people: RegionStage = {
  name: 'people',
  title: 'People',
  parts: async ({ db, random }) =>
    partsOf(peopleOf(await holdersOf(db.read), random), async (change, some) => {
      await createLogins(change, some);
      const contacts = some.flatMap(({ memberships, ...person }) =>
        [...memberships].map(([accountName, contactTypes]) => ({ ...person, accountName, contactTypes })),
      );
      await addContacts(change, contacts);
      return some.length + contacts.length;
    }),
};

/** People of the size, to sign in as: the password is that of demo people. */
const demoPeopleOf = (holders: readonly Holder[]) => {
  const sorted = bySize(holders);
  const some = (count: number, from: number): string[] => sorted.slice(from, from + count).map(({ accountName }) => accountName);
  const [largest, nir] = [some(1, 0), some(1, 1)];
  return [
    {
      username: 'larissa',
      fullName: 'Larissa Holt',
      about: `corporate contact of ${largest[0]}, which holds most, second factor`,
      accounts: largest,
      types: ['corporate'],
    },
    {
      username: 'norbert',
      fullName: 'Norbert Ito',
      about: `corporate contact of ${nir[0]}, a national registry, second factor`,
      accounts: nir,
      types: ['corporate'],
    },
    {
      username: 'twyla',
      fullName: 'Twyla Ong',
      about: 'corporate contact of twelve accounts of the region, second factor',
      accounts: some(12, 2),
      types: ['corporate'],
    },
    {
      username: 'bianca',
      fullName: 'Bianca Rao',
      about: 'billing office of sixty accounts of the region',
      accounts: some(60, 14),
      types: ['billing'],
    },
  ] satisfies { username: string; fullName: string; about: string; accounts: string[]; types: ContactType[] }[];
};

const signIns: RegionStage = {
  name: 'signIns',
  title: 'People who can sign in',
  parts: async ({ db, config }) =>
    demoPeopleOf(await holdersOf(db.read)).map(({ username, fullName, about, accounts, types }) => async change => {
      const email = `${username}@region.example`;
      const loginId = await createLogin(change, { username, fullName, email, emailVerified: true, demoRole: about });
      await setPassword(change, loginId, demoPasswordOf(username));
      const factor = `DEMOREGISTRY${username.toUpperCase()}DEMOREGISTRYDEMOREGISTRY`.slice(0, 32);
      if (about.endsWith('second factor')) await addAuthenticator(change, config, { loginId, secret: factor });
      await addContacts(
        change,
        accounts.map(accountName => ({ accountName, loginId, fullName, email, phone: '', contactTypes: types })),
      );
      return 1 + accounts.length;
    }),
};

export const regionStages: readonly RegionStage[] = [organisations, people, signIns];
