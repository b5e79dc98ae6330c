import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type CopyRow, copyIn } from './copy-in.ts';
import { pg } from './portal-data.ts';

/** The whois database of a whole region, made from the delegations of a statistics file, and queries for it. */
export type Region = {
  objects: number;
  seconds: number;
  /** Exact keys of inetnums, inet6nums, routes, AS numbers; addresses inside them; an as-set of 10,000 members with 100,000 routes. */
  exact: string[];
  inside: string[];
  /** Addresses inside assignments, each once: so many that none is asked twice. */
  once: string[];
  asSet: string;
};

type Delegation = { economy: string; kind: string; start: string; value: number };
type Made = {
  class: string;
  key: string;
  shown: string;
  lines: [string, string][];
  first?: string;
  last?: string;
  length?: number;
  as?: number;
  origin?: number;
  keys?: string[];
};

/** Addresses that are asked for once. */
const ASKED_ONCE = 300_000;
const SET_MEMBERS = 10_000;
const ROUTES_OF_MEMBER = 10;
const source = 'EXAMPLE';
/** Attributes whose values are kept in whois_reference here. */
const inverse = new Set([
  'admin-c',
  'tech-c',
  'zone-c',
  'mnt-by',
  'mnt-lower',
  'mnt-irt',
  'org',
  'origin',
  'members',
  'nserver',
  'upd-to',
  'abuse-mailbox',
  'mnt-ref',
  'notify',
  'auth',
  'referral-by',
]);

const dotted = (value: number): string => `${(value >>> 24) & 255}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

function sequence(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function delegationsOf(file: string): Delegation[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  return text
    .split('\n')
    .map(line => line.split('|'))
    .filter(([, economy, kind = '', , , , status = '']) => economy !== '*' && /^(ipv4|ipv6|asn)$/.test(kind) && status.startsWith('a'))
    .map(([, economy = '', kind = '', start = '', value]) => ({ economy, kind, start, value: Number(value) }));
}

/** Registers, in about this order of size: holders with their contacts, delegations, assignments inside them, routes, reverse domains. */
function* objectsOf(file: string, objects: number, ask: Pick<Region, 'exact' | 'inside' | 'once'>): Generator<Made> {
  const random = sequence(20_261_121);
  const withSet = objects >= 500_000;
  const all = delegationsOf(file);
  // A small registry is a thinned-out large one, with the same share of everything.
  const share = Math.min(1, (objects * 0.07) / all.length);
  const delegations = all.filter(() => random(1_000_000) < share * 1_000_000);
  const holders = Math.max(10, Math.floor(objects / 75));
  const holder = (): number => Math.floor(holders * (random(1_000_000) / 1_000_000) ** 2.2);
  const stamp = (): [string, string][] => [
    ['last-modified', `20${10 + random(16)}-0${1 + random(9)}-1${random(10)}T0${random(10)}:14:02Z`],
    ['source', source],
  ];
  const contacts = (id: number): [string, string][] => [
    ['admin-c', `AA${id + 1}-EX`],
    ['tech-c', `NO${id + 1}-EX`],
  ];
  const maintained = (id: number): [string, string][] => [['mnt-by', `MAINT-H${id}-AP`]];
  const address: [string, string][] = [
    ['address', '12 Example Street'],
    ['address', 'Level 3, Exchange House'],
    ['country', 'AU'],
    ['phone', '+61 7 5550 0100'],
  ];
  let count = 0;
  const made = (one: Made): Made => {
    count++;
    return one;
  };

  for (let id = 0; id < holders; id++) {
    const mail: [string, string] = ['e-mail', `noc@h${id}.example`];
    const abuse: [string, string] = ['abuse-mailbox', `abuse@h${id}.example`];
    const person = (letters: string, name: string): Made => ({
      class: 'person',
      key: `${letters}${id + 1}-ex`.toLowerCase(),
      shown: `${letters}${id + 1}-EX`,
      lines: [['person', name], ...address, mail, ['nic-hdl', `${letters}${id + 1}-EX`], ...maintained(id), ...stamp()],
      keys: [...name.toLowerCase().split(' '), mail[1]],
    });
    yield made(person('AA', `Anna Admin${id}`));
    yield made(person('TT', `Tom Tech${id}`));
    yield made({
      class: 'role',
      key: `no${id + 1}-ex`,
      shown: `NO${id + 1}-EX`,
      lines: [
        ['role', `Network Operations H${id}`],
        ...address,
        mail,
        ['admin-c', `AA${id + 1}-EX`],
        ['tech-c', `TT${id + 1}-EX`],
        ['nic-hdl', `NO${id + 1}-EX`],
        ...maintained(id),
        ...stamp(),
      ],
      keys: ['network', 'operations', `h${id}`, mail[1]],
    });
    yield made({
      class: 'mntner',
      key: `maint-h${id}-ap`,
      shown: `MAINT-H${id}-AP`,
      lines: [
        ['mntner', `MAINT-H${id}-AP`],
        ['descr', `Maintainer of holder ${id}`],
        ['admin-c', `AA${id + 1}-EX`],
        ['upd-to', mail[1]],
        ['auth', 'PORTAL'],
        ...maintained(id),
        ['referral-by', 'EXAMPLE-HM'],
        ...stamp(),
      ],
    });
    yield made({
      class: 'irt',
      key: `irt-h${id}-ap`,
      shown: `IRT-H${id}-AP`,
      lines: [
        ['irt', `IRT-H${id}-AP`],
        ...address.slice(0, 2),
        mail,
        abuse,
        ...contacts(id),
        ['auth', 'PORTAL'],
        ...maintained(id),
        ...stamp(),
      ],
      keys: [mail[1]],
    });
    yield made({
      class: 'organisation',
      key: `org-h${id + 1}-ex`,
      shown: `ORG-H${id + 1}-EX`,
      lines: [
        ['organisation', `ORG-H${id + 1}-EX`],
        ['org-name', `Holder ${id} Networks`],
        ['org-type', 'LIR'],
        ...address,
        mail,
        ['mnt-ref', 'EXAMPLE-HM'],
        ['mnt-by', 'EXAMPLE-HM'],
        ...stamp(),
      ],
      keys: ['holder', String(id), 'networks', mail[1]],
    });
  }

  const network = (
    kind: 'inetnum' | 'inet6num',
    { shown, first, last, length }: { shown: string; first: string; last: string; length?: number },
    status: string,
  ): Made => {
    const id = holder();
    const name = `H${id}-NET-${count}`;
    return {
      class: kind,
      key: shown.toLowerCase(),
      shown,
      first,
      last,
      ...(length === undefined ? {} : { length }),
      keys: [name.toLowerCase()],
      lines: [
        [kind, shown],
        ['netname', name],
        ['descr', `Holder ${id} Networks`],
        ['country', 'AU'],
        ...(status.endsWith(' PORTABLE') ? ([['org', `ORG-H${id + 1}-EX`]] as [string, string][]) : []),
        ...contacts(id),
        ['status', status],
        ...maintained(id),
        ['mnt-irt', `IRT-H${id}-AP`],
        ...stamp(),
      ],
    };
  };
  const inetnum = (first: number, size: number, status: string): Made => {
    const ends = { first: dotted(first), last: dotted(first + size - 1) };
    const length = Number.isInteger(Math.log2(size)) && first % size === 0 ? 32 - Math.log2(size) : undefined;
    return network('inetnum', { ...ends, shown: `${ends.first} - ${ends.last}`, ...(length === undefined ? {} : { length }) }, status);
  };
  const route = (kind: 'route' | 'route6', prefix: string, first: string, last: string, length: number, origin: number): Made => {
    const id = holder();
    return {
      class: kind,
      key: `${prefix}as${origin}`.toLowerCase(),
      shown: `${prefix}AS${origin}`,
      first,
      last,
      length,
      origin,
      lines: [[kind, prefix], ['descr', `Route of holder ${id}`], ['origin', `AS${origin}`], ...maintained(id), ...stamp()],
    };
  };
  const numbers = delegations.filter(({ kind }) => kind === 'asn').map(({ start }) => Number(start));
  if (numbers.length === 0) numbers.push(64_496);
  const anyNumber = (): number => numbers[random(numbers.length)]!;
  for (const number of numbers) {
    const id = holder();
    yield made({
      class: 'aut-num',
      key: `as${number}`,
      shown: `AS${number}`,
      as: number,
      lines: [
        ['aut-num', `AS${number}`],
        ['as-name', `H${id}-AS`],
        ['descr', `Holder ${id} Networks`],
        ['country', 'AU'],
        ...contacts(id),
        ...maintained(id),
        ['mnt-irt', `IRT-H${id}-AP`],
        ...stamp(),
      ],
    });
    if (ask.exact.length < 2_000) ask.exact.push(`AS${number}`);
  }
  const ipv4 = delegations.filter(({ kind }) => kind === 'ipv4');
  for (const { start, value } of ipv4) {
    yield made(inetnum(numberOf(start), value, 'ALLOCATED PORTABLE'));
  }
  const ipv6 = delegations.filter(({ kind }) => kind === 'ipv6');
  for (const { start, value: length } of ipv6) {
    const groups = start
      .replace(/::$/, '')
      .split(':')
      .map(group => group.padStart(4, '0'));
    const end = [...groups, ...Array<string>(8 - groups.length).fill('ffff')].map((group, place) =>
      place * 16 >= length ? 'ffff' : group,
    );
    const first = `${start}`;
    // The last address by its bits: whole groups, and the group the length cuts through.
    const cut = Math.floor(length / 16);
    if (length % 16 !== 0) end[cut] = (Number.parseInt(groups[cut] ?? '0', 16) | (0xffff >> (length % 16))).toString(16);
    yield made(network('inet6num', { shown: `${start}/${length}`, first, last: end.join(':'), length }, 'ALLOCATED PORTABLE'));
    if (random(2) === 0) yield made(route('route6', `${start}/${length}`, first, end.join(':'), length, anyNumber()));
    if (ask.exact.length < 4_000) ask.exact.push(`${start}/${length}`);
  }

  if (withSet) {
    const members = Array.from({ length: SET_MEMBERS }, (_, place) => 4_200_000_000 + place);
    const lines: [string, string][] = [
      ['as-set', 'AS-BIG'],
      ['descr', 'A set as large as sets get'],
    ];
    for (let at = 0; at < members.length; at += 10)
      lines.push([
        'members',
        members
          .slice(at, at + 10)
          .map(number => `AS${number}`)
          .join(', '),
      ]);
    yield made({ class: 'as-set', key: 'as-big', shown: 'AS-BIG', lines: [...lines, ...contacts(0), ...maintained(0), ...stamp()] });
    // Space that no one in the region has, so that nothing else is found there.
    let next = numberOf('11.0.0.0');
    for (const number of members)
      for (let place = 0; place < ROUTES_OF_MEMBER; place++, next += 256)
        yield made(route('route', `${dotted(next)}/24`, dotted(next), dotted(next + 255), 24, number));
  }

  // Assignments, routes and reverse domains in delegations of any size, until there are enough.
  const taken = new Set<string>();
  const assigned: { first: number; size: number }[] = [];
  while (count < objects && ipv4.length > 0) {
    const { start, value } = ipv4[random(ipv4.length)]!;
    const base = numberOf(start);
    const kind = random(100);
    if (kind < 62) {
      const size = 2 ** (2 + random(Math.max(1, Math.floor(Math.log2(value)) - 2)));
      const first = base + size * random(Math.floor(value / size));
      const key = `i${first}-${size}`;
      if (size >= value || taken.has(key)) continue;
      taken.add(key);
      assigned.push({ first, size });
      if (ask.exact.length < 12_000) ask.exact.push(`${dotted(first)} - ${dotted(first + size - 1)}`);
      if (ask.inside.length < 20_000) ask.inside.push(dotted(first + random(size)));
      yield made(inetnum(first, size, 'ASSIGNED NON-PORTABLE'));
    } else {
      const size = Math.min(value, 256 << random(5));
      const length = 32 - Math.floor(Math.log2(size));
      const whole = 2 ** (32 - length);
      const first = base - (base % whole) + whole * random(Math.max(1, Math.floor(value / whole)));
      if (kind < 92) {
        const origin = anyNumber();
        const key = `r${first}-${length}-${origin}`;
        if (taken.has(key)) continue;
        taken.add(key);
        yield made(route('route', `${dotted(first)}/${length}`, dotted(first), dotted(first + whole - 1), length, origin));
        if (ask.exact.length < 16_000) ask.exact.push(`${dotted(first)}/${length}`);
      } else {
        const third = first - (first % 256);
        const zone = `${(third >>> 8) & 255}.${(third >>> 16) & 255}.${(third >>> 24) & 255}.in-addr.arpa`;
        if (taken.has(zone)) continue;
        taken.add(zone);
        const id = holder();
        yield made({
          class: 'domain',
          key: zone,
          shown: zone,
          first: dotted(third),
          last: dotted(third + 255),
          lines: [
            ['domain', zone],
            ['descr', `Reverse zone of holder ${id}`],
            ...contacts(id),
            ['zone-c', `NO${id + 1}-EX`],
            ['nserver', `ns1.h${id}.example`],
            ['nserver', `ns2.h${id}.example`],
            ...maintained(id),
            ...stamp(),
          ],
        });
      }
    }
  }
  const once = new Set<string>();
  for (let tries = 0; tries < 4 * ASKED_ONCE && once.size < ASKED_ONCE && assigned.length > 0; tries++) {
    const { first, size } = assigned[random(assigned.length)]!;
    once.add(dotted(first + random(size)));
  }
  for (const address of once) ask.once.push(address);
}

/** Fills the whois tables of a database: COPY without indexes, triggers and journal, then the indexes again. */
export async function loadRegion(url: string, file: string, objects: number): Promise<Region> {
  const started = performance.now();
  const region: Region = { objects: 0, seconds: 0, exact: [], inside: [], once: [], asSet: 'AS-BIG' };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
    const tables = ['whois_object', 'whois_key', 'whois_reference'];
    const { rows: indexes } = await client.query<{ name: string; definition: string; constraint: string | null }>(
      `select i.indexrelid::regclass::text as name, coalesce('alter table ' || i.indrelid::regclass || ' add constraint ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid),
        pg_get_indexdef(i.indexrelid)) as definition, case when c.oid is not null then 'alter table ' || i.indrelid::regclass || ' drop constraint ' || quote_ident(c.conname) end as constraint
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u') where i.indrelid = any($1::regclass[])`,
      [tables],
    );
    for (const { name, constraint } of indexes) await client.query(constraint ?? `drop index ${name}`);
    const rows: Record<string, CopyRow[]> = { whois_object: [], whois_key: [], whois_reference: [] };
    const columns = {
      whois_object:
        'whois_object (object_id, class, key, shown, text, version, first, last, prefix_length, first_as, last_as, origin, created_at, changed_at)',
      whois_key: 'whois_key (object_id, key)',
      whois_reference: 'whois_reference (object_id, attribute, value)',
    };
    const now = '2026-11-01T00:00:00Z';
    const flush = async (): Promise<void> => {
      for (const [table, target] of Object.entries(columns)) {
        await copyIn(client, target, rows[table]!);
        rows[table] = [];
      }
    };
    for (const made of objectsOf(file, objects, region)) {
      const id = ++region.objects;
      const text = made.lines.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join('');
      rows.whois_object!.push([
        id,
        made.class,
        made.key,
        made.shown,
        text,
        1,
        made.first ?? null,
        made.last ?? null,
        made.length ?? null,
        made.as ?? null,
        made.as ?? null,
        made.origin ?? null,
        now,
        now,
      ]);
      for (const key of new Set(made.keys)) rows.whois_key!.push([id, key]);
      const references = new Set(
        made.lines
          .filter(([name]) => inverse.has(name))
          .flatMap(([name, value]) =>
            value
              .toLowerCase()
              .split(', ')
              .map(part => `${name}\t${part}`),
          ),
      );
      for (const reference of references) rows.whois_reference!.push([id, ...(reference.split('\t') as [string, string])]);
      if (region.objects % 50_000 === 0) await flush();
    }
    await flush();
    for (const { definition } of indexes) await client.query(definition);
    for (const table of tables) await client.query(`vacuum analyze ${table}`);
    await client.query(`select setval(pg_get_serial_sequence('whois_object', 'object_id'), $1)`, [region.objects]);
  } finally {
    await client.end();
  }
  region.seconds = (performance.now() - started) / 1000;
  return region;
}
