import { parseAddress, printAddress, printRange } from '@portal/number-resources';
import { objectOf, type RpslObject, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Random, Region, RegionPart, RegionStage } from '../../platform/demo.ts';
import type { Profile } from '../../profile.ts';
import { accountsOf, syncRegistryObjects } from './ledger/registry-object-sync.ts';
import { assignHandles } from './store/handles.ts';
import { lockWhois } from './store/lock.ts';
import { storeObjects } from './store/store.ts';
import { identityOf } from './store/syntax.ts';

type Lines = [name: string, value: string][];

/** Accounts whose maintainers are made in one change, and about how many objects are. */
const ACCOUNTS_AT_ONCE = 500;
const OBJECTS_AT_ONCE = 10_000;

/** Stores new objects in a change. The caller knows their keys to be free. */
async function store(change: Change, objects: readonly RpslObject[], profile: Profile): Promise<number> {
  await storeObjects(
    change,
    objects.map(object => ({ operation: 'create', ...identityOf(object)!, object, stored: null })),
    profile,
  );
  return objects.length;
}

/** Holders of the region, by name. */
const holdersOf = (read: Pick<Read, 'rows'>): Promise<{ accountName: string; orgName: string; economy: string | null; city: string }[]> =>
  read.rows(sql`select a.account_name, a.org_name, a.economy, o.city from account a join organisation o using (account_name)
    where a.statistics_id is not null order by a.account_name`);

const maintainers: RegionStage = {
  name: 'maintainers',
  title: 'Maintainers',
  parts: async ({ db, profile }) => {
    const holders = await holdersOf(db.read);
    return Array.from({ length: Math.ceil(holders.length / ACCOUNTS_AT_ONCE) }, (_, part) => async (change: Change) => {
      const some = holders.slice(part * ACCOUNTS_AT_ONCE, (part + 1) * ACCOUNTS_AT_ONCE);
      await lockWhois(change);
      const objects: (RpslObject | null)[] = some.flatMap(({ accountName, orgName, economy, city }, place) => {
        const [person, role] = [`AUTO-${2 * place + 1}`, `AUTO-${2 * place + 2}`];
        const domain = `${accountName.toLowerCase()}.example`;
        const contact: Lines = [
          ['address', `${orgName}, ${city}`],
          ['country', economy ?? 'ZZ'],
          ['phone', '+61 7 5550 0100'],
          ['e-mail', `noc@${domain}`],
        ];
        const end: Lines = [
          ['mnt-by', `MAINT-${accountName}`],
          ['source', profile.source],
        ];
        return [
          objectOf([['person', `${city} Operator`], ...contact, ['nic-hdl', person], ...end]),
          objectOf([
            ['role', `${orgName.split(' ').slice(0, 2).join(' ')} Operations`],
            ...contact,
            ['admin-c', person],
            ['tech-c', person],
            ['nic-hdl', role],
            ...end,
          ]),
          objectOf([
            ['mntner', `MAINT-${accountName}`],
            ['descr', `Maintainer of ${orgName}`],
            ['admin-c', person],
            ['tech-c', role],
            ['upd-to', `noc@${domain}`],
            ['auth', 'PORTAL'],
            ...end,
          ]),
        ];
      });
      await assignHandles(
        change,
        objects,
        objects.map(() => true),
        profile,
      );
      const written = await store(change, objects as RpslObject[], profile);
      await change.rows(sql`insert into maintainer_link (account_name, maintainer, principal, linked_at)
        select account_name, lower('MAINT-' || account_name), true, ${change.now}::timestamptz from unnest(${some.map(({ accountName }) => accountName)}::text[]) as w (account_name)`);
      return written + some.length;
    });
  },
};

/** Organisations, networks, AS numbers and irts that the registry keeps of its ledger. */
const kept: RegionStage = {
  name: 'kept',
  title: 'Whois objects of the ledger',
  work: ({ db, profile }) => syncRegistryObjects(db, profile),
};

type Block = { accountName: string; kind: 'ipv4' | 'ipv6'; first: string; size: string };
type Share = { accountName: string; numbers: number[]; blocks: { block: Block; objects: number; zones: number }[]; objects: number };

/** How much of the region’s objects lies in a delegation: large ones have more, but not in proportion. */
const weightOf = ({ kind, size }: Block): number => (kind === 'ipv4' ? Number(size) ** 0.45 : 6);

/** Returns what lies in whose delegations, by account. */
async function sharesOf({ db, plan }: Region): Promise<Share[]> {
  const blocks =
    await db.read.rows<Block>(sql`select d.account_name, d.kind, coalesce(host(d.first), '') as first, d.size::text from delegation d join account a using (account_name)
    where d.registry = '' and d.status <> 'closed' and d.kind <> 'asn' and a.statistics_id is not null order by d.account_name, d.first`);
  const numbers = Map.groupBy(
    await db.read.rows<{
      accountName: string;
      asn: number;
    }>(sql`select d.account_name, coalesce(d.first_as, 0) as asn from delegation d join account a using (account_name)
      where d.registry = '' and d.status <> 'closed' and d.kind = 'asn' and a.statistics_id is not null order by d.account_name, d.first_as`),
    ({ accountName }) => accountName,
  );
  const zoned = blocks.filter(({ kind }) => kind === 'ipv4');
  const sum = blocks.reduce((total, block) => total + weightOf(block), 0);
  const zonedSum = zoned.reduce((total, block) => total + weightOf(block), 0);
  // What is below one is carried on to the next, so that the sums come out.
  let [objectsLeft, zonesLeft] = [0, 0];
  const whole = (value: number): number => Math.max(0, Math.floor(value + 1e-9));
  return [...Map.groupBy(blocks, ({ accountName }) => accountName)].map(([accountName, own]) => {
    const parts = own.map(block => {
      objectsLeft += ((plan.objects - plan.zones) * weightOf(block)) / sum;
      if (block.kind === 'ipv4') zonesLeft += (plan.zones * weightOf(block)) / zonedSum;
      const part = { block, objects: whole(objectsLeft), zones: Math.min(whole(zonesLeft), Math.ceil(Number(block.size) / 256)) };
      objectsLeft -= part.objects;
      zonesLeft -= part.zones;
      return part;
    });
    return {
      accountName,
      numbers: (numbers.get(accountName) ?? []).map(({ asn }) => asn),
      blocks: parts,
      objects: parts.reduce((total, { objects, zones }) => total + objects + zones, 0),
    };
  });
}

type Of = { country: string; maintainer: string; contact: string; name: string };

const endOf = ({ maintainer }: Of, profile: Profile): Lines => [
  ['mnt-by', maintainer],
  ['source', profile.source],
];

function network(
  key: string,
  { netname, descr, status, of, profile }: { netname: string; descr: string; status: string; of: Of; profile: Profile },
) {
  return objectOf([
    [key.includes(':') ? 'inet6num' : 'inetnum', key],
    ['netname', netname],
    ['descr', descr],
    ['country', of.country],
    ['admin-c', of.contact],
    ['tech-c', of.contact],
    ['status', status],
    ...endOf(of, profile),
  ]);
}

const route = (prefix: string, origin: number, of: Of, profile: Profile): RpslObject =>
  objectOf([[prefix.includes(':') ? 'route6' : 'route', prefix], ['descr', of.name], ['origin', `AS${origin}`], ...endOf(of, profile)]);

const reverseZone = (first: bigint, of: Of, profile: Profile): RpslObject => {
  const [a, b, c] = printAddress({ family: 'ipv4', value: first }).split('.');
  const domain = `${of.maintainer.toLowerCase().replace('maint-', '')}.example`;
  return objectOf([
    ['domain', `${c}.${b}.${a}.in-addr.arpa`],
    ['descr', `Reverse zone of ${a}.${b}.${c}.0/24`],
    ['admin-c', of.contact],
    ['tech-c', of.contact],
    ['zone-c', of.contact],
    ['nserver', `ns1.${domain}`],
    ['nserver', `ns2.${domain}`],
    ...endOf(of, profile),
  ]);
};

/** Sizes of networks of customers, the usual ones more often. */
const sizes = [4n, 8n, 8n, 16n, 16n, 32n, 64n, 64n, 128n, 256n, 256n, 256n, 512n, 1024n];
const trades = [
  'Bakery',
  'Clinic',
  'College',
  'Cold store',
  'Foundry',
  'Freight',
  'Hotel',
  'Library',
  'Nursery',
  'Print works',
  'Shipyard',
  'Workshop',
];
/** Addresses of one allocation to a region or a reseller of the holder. */
const ALLOCATION = 4_096n;

/**
 * Objects in one delegation: routes of the whole and of /24s in it, allocations to regions with the networks of customers in them, and reverse zones.
 */
function* objectsIn(
  { block, objects, zones }: Share['blocks'][number],
  { numbers, random, of, profile }: { numbers: readonly number[]; random: Random; of: Of; profile: Profile },
): Generator<RpslObject> {
  const { value: first } = parseAddress(block.first);
  const [size, family] = [BigInt(block.size), block.kind];
  const last = first + size - 1n;
  for (let zone = 0; zone < zones; zone++) yield reverseZone(first + BigInt(zone) * 256n, of, profile);
  let left = objects;
  const prefix = printRange({ family, first, last });
  if (left > 1 && numbers.length > 0 && prefix.includes('/')) {
    yield route(prefix, numbers[0]!, of, profile);
    left--;
  }
  const routes = family === 'ipv4' && numbers.length > 0 && size > 256n ? Math.min(Math.floor(left / 4), Number(size / 256n)) : 0;
  for (let place = 0; place < routes; place++) {
    const at = first + BigInt(place) * 256n;
    yield route(printRange({ family, first: at, last: at + 255n }), numbers[random(numbers.length)]!, of, profile);
  }
  left -= routes;
  let [at, allocated] = [first, first - 1n];
  for (let customer = 1; left > 0; customer++) {
    // Networks of a /48 in a block of IPv6.
    const length = family === 'ipv4' ? sizes[random(sizes.length)]! : 2n ** 80n;
    if (length * 2n > size) {
      if (family === 'ipv6' || size < 8n || customer > 4 * objects) return;
      continue;
    }
    at = ((at + length - 1n) / length) * length;
    if (at + length - 1n > last) return;
    if (family === 'ipv4' && size >= 4n * ALLOCATION && at > allocated && at % ALLOCATION === 0n && at + ALLOCATION - 1n <= last) {
      allocated = at + ALLOCATION - 1n;
      yield network(`${printAddress({ family, value: at })} - ${printAddress({ family, value: allocated })}`, {
        netname: `REGION-${customer}`,
        descr: `${of.name}, region ${customer}`,
        status: 'ALLOCATED NON-PORTABLE',
        of,
        profile,
      });
      if (--left === 0) return;
    }
    const ends = { family, first: at, last: at + length - 1n };
    const key =
      family === 'ipv4' ? `${printAddress({ family, value: at })} - ${printAddress({ family, value: ends.last })}` : printRange(ends);
    yield network(key, {
      netname: `CUSTOMER-${customer}`,
      descr: `${trades[random(trades.length)]} ${customer}`,
      status: 'ASSIGNED NON-PORTABLE',
      of,
      profile,
    });
    left--;
    at += length;
  }
}

const networks: RegionStage = {
  name: 'networks',
  title: 'Networks, routes and reverse zones',
  parts: async region => {
    const { profile, random } = region;
    const groups: Share[][] = [[]];
    for (const share of await sharesOf(region)) {
      const last = groups.at(-1)!;
      if (last.length > 0 && last.reduce((sum, { objects }) => sum + objects, share.objects) > OBJECTS_AT_ONCE) groups.push([share]);
      else last.push(share);
    }
    return groups.map(
      (shares): RegionPart =>
        async change => {
          await lockWhois(change);
          const accounts = new Map(
            (
              await accountsOf(
                change,
                shares.map(({ accountName }) => accountName),
              )
            ).map(row => [row.accountName, row]),
          );
          const objects = shares.flatMap(({ accountName, numbers, blocks }) => {
            const { maintainer, contact, economy, orgName } = accounts.get(accountName)!;
            const of = { country: economy ?? 'ZZ', maintainer: maintainer!, contact: contact!, name: orgName };
            const next = random(`networks ${accountName}`);
            return blocks.flatMap(block => [...objectsIn(block, { numbers, random: next, of, profile })]);
          });
          // Adjacent delegations of one account can have the same zone.
          const byKey = new Map(
            objects.map(object => [`${object.class} ${valueOf(object, object.class)} ${valueOf(object, 'origin') ?? ''}`, object]),
          );
          return store(change, [...byKey.values()], profile);
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [maintainers, kept, networks];
