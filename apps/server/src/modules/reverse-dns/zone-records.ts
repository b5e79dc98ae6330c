import type { RecordMark } from '@portal/contract/records/records';
import type { ReverseZone } from '@portal/contract/reverse-dns/reverse-dns';
import { type AddressRange, coverRange, enclosingPrefix, overlapsRange, printPrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { dayInWords, readersDay } from '../../platform/day-words.ts';
import type { Module } from '../../platform/module.ts';
import type { Profile } from '../../profile.ts';
import { lameDays, type LameRow } from './checks/lame-steps.ts';
import { type DelegatedZone, delegatedZones } from './domain-objects.ts';
import { noFacts, zoneFacts } from './zone-facts.ts';
import { rowsOf } from './zones.ts';

/** Zones listed on one page. */
const LISTED = 20;
/** Zones of others that are looked at: a large block has tens of thousands. */
const MAX_OF_OTHERS = 200;
/** Servers that are named one by one. */
const NAMED = 3;
const words = { ok: 'Answers', warning: 'Warnings', lame: 'Lame', unchecked: 'Delegated' } as const;
const marks = { ok: 'valid', warning: 'warning', lame: 'invalid', unchecked: 'info' } as const;

type Part = Awaited<ReturnType<NonNullable<Module['records']>[number]['describe']>>;
const hrefOfZone = (zone: string): string => `/resources/ReverseDNS?zone=${zone}`;
const hrefOfAdding = ({ family }: AddressRange, prefix: string): string =>
  `/resources/ReverseDNS_${family === 'ipv4' ? 'ip' : 'v6'}?${new URLSearchParams({ prefix }).toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;

/** Reverse delegations and DNSSEC of a prefix on its page. Anyone can query a name server, so they and whether their servers answer are public; what to do about it is shown to the holder only. */
export const zoneRecords: NonNullable<Module['records']>[number] = {
  id: 'reverse-zones',
  describe: async ({ read, resource, on, here, account }, { profile, clock }) => {
    if (on !== null || resource.family === 'asn') return {};
    const range = { family: resource.family, first: resource.first, last: resource.last };
    const found = await delegatedZones(read, [enclosingPrefix(range)], here ? null : MAX_OF_OTHERS + 1);
    const zones = found.slice(0, here ? found.length : MAX_OF_OTHERS).filter(({ prefix }) => overlapsRange(prefix, range));
    // As the page of a zone, which has the same findings.
    const seesLame = account.asStaff || account.permissions.has('whois-domain-objects-view');
    const judged = here
      ? await stateOf(read, range, zones, seesLame ? { profile, now: clock() } : null)
      : zones.length > 0
        ? publicState(zones, found.length > zones.length)
        : {};
    if (zones.length === 0) return judged;
    const facts = await zoneFacts(read, here ? zones : zones.slice(0, LISTED));
    return {
      ...judged,
      section: {
        about: 'reverse-dns',
        title: 'Reverse zones',
        rows: zones.slice(0, LISTED).map(({ zone, servers, ds }) => {
          const state = (facts.get(zone) ?? noFacts).state as keyof typeof words;
          return {
            label: zone,
            text: `${servers.map(each => each.split(' ')[0]).join(', ')}; ${ds.length > 0 ? `DS ${ds.map(each => each.split(' ')[0]).join(', ')}` : 'not signed'}`,
            link: here ? hrefOfZone(zone) : null,
            state: { mark: marks[state], word: words[state] },
            actions: [],
          };
        }),
        more: zones.length > LISTED,
        link: null,
      },
    };
  },
};

const fact = (label: string, text: string, { link = null, mono = false }: { link?: string | null; mono?: boolean } = {}) => ({
  label,
  text,
  at: null,
  link,
  mono,
});
const hostsOf = (zones: readonly { servers: readonly string[] }[]): string[] => [
  ...new Set(zones.flatMap(({ servers }) => servers.map(each => each.split(' ')[0]!))),
];
const listed = (names: readonly string[]): string =>
  `${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;

function publicState(zones: readonly DelegatedZone[], more: boolean): Part {
  return {
    health: {
      about: 'reverse-dns',
      mark: 'info',
      word: zones.length === 1 ? 'Delegated' : `${zones.length}${more ? ' or more' : ''} zones delegated`,
      facts: [
        ...(zones.length === 1 ? [fact('Zone', zones[0]!.zone, { mono: true })] : []),
        fact('Name servers', listed(hostsOf(zones)), { mono: true }),
      ],
    },
  };
}

type Policy = { profile: Profile; now: Date };

const isDelegated = ({ version }: ReverseZone): boolean => version !== null;

/** How many zones answer, have a server that doesn't, and have warnings. */
function answersOf(zones: readonly ReverseZone[]): { answers: number; lame: number; warning: number } {
  const count = (state: ReverseZone['state']): number => zones.filter(row => row.state === state).length;
  return { answers: count('ok'), lame: count('lame'), warning: count('warning') };
}

/** How the zones of some addresses answer, in a few words. */
function answersInWords(all: readonly ReverseZone[]): string {
  const delegated = all.filter(isDelegated);
  const { answers, lame, warning } = answersOf(delegated);
  return delegated.length === 0
    ? all.some(({ state }) => state === 'covered')
      ? 'In a wider zone'
      : 'Not delegated'
    : lame > 0
      ? `${lame} of ${delegated.length} with a server that doesn’t answer`
      : warning > 0
        ? `${warning} of ${delegated.length} with warnings`
        : answers > 0
          ? `${answers} of ${delegated.length} ${delegated.length === 1 ? 'zone answers' : 'zones answer'}`
          : `${delegated.length} delegated, not checked yet`;
}

/** Which zones are delegated, to which servers, whether they are signed, and when they were checked last. */
function delegationFacts(
  delegated: readonly ReverseZone[],
  open: readonly ReverseZone[],
  prefix: string,
): NonNullable<NonNullable<Part['health']>['facts']> {
  const single = delegated.length === 1 ? delegated[0]! : null;
  const signed = delegated.filter(({ dnssec }) => dnssec !== 'none').length;
  const checkedAt =
    delegated
      .flatMap(row => row.checkedAt ?? [])
      .toSorted()
      .at(-1) ?? null;
  return [
    ...(single
      ? [fact('Zone', single.zone, { link: hrefOfZone(single.zone), mono: true })]
      : delegated.length > 0
        ? [
            fact('Zones', `${delegated.length} of ${delegated.length + open.length} delegated`, {
              link: `/resources/ReverseDNSSummary?view=table&q=${prefix}`,
            }),
          ]
        : []),
    ...(delegated.length > 0
      ? [
          fact('Name servers', listed(hostsOf(delegated)), { mono: true }),
          fact('DNSSEC', signed === 0 ? 'Not signed' : signed === delegated.length ? 'Signed' : `${signed} signed`),
        ]
      : []),
    ...(checkedAt ? [{ label: 'Last check', text: '', at: checkedAt, link: null, mono: false }] : []),
  ];
}

/** Signatures of a zone that are broken, or end soon. */
const signatureMark = ({ zone, dnssec, signaturesEnd }: ReverseZone): RecordMark => ({
  about: 'reverse-dns',
  mark: dnssec === 'broken' ? 'invalid' : 'warning',
  code: dnssec === 'broken' ? 'dnssec-broken' : 'dnssec-ends-soon',
  message:
    dnssec === 'broken'
      ? `The DS records of ${zone} match no signature, so resolvers that validate refuse the zone`
      : `Signatures of ${zone} end${signaturesEnd ? ` on ${readersDay(signaturesEnd)}` : ' soon'}`,
  fix: { label: 'How to fix it', link: hrefOfZone(zone) },
});

/** Zones without name servers. @param link where they are delegated */
const undelegatedMark = (open: readonly ReverseZone[], link: string): RecordMark => ({
  about: 'reverse-dns',
  mark: 'info',
  code: 'zones-not-delegated',
  message:
    open.length === 1
      ? `${open[0]!.zone} has no name servers, so its addresses have no names`
      : `${open.length} zones have no name servers, so their addresses have no names`,
  fix: { label: open.length === 1 ? 'Delegate it' : 'Delegate them', link },
});

/** The zones that the holder's addresses need, how they answer, and the days of servers that don't. @param policy null where the viewer may not see these days */
async function stateOf(read: Read, range: AddressRange, zones: readonly DelegatedZone[], policy: Policy | null): Promise<Part> {
  const rows = (await rowsOf(read, coverRange(range), zones)).flatMap(each => each.rows);
  // Parts of a /24 have no zone of their own: the zone around them counts.
  const around =
    rows.length === 0 && zones.length > 0 ? (await rowsOf(read, [zones.at(-1)!.prefix], zones)).flatMap(each => each.rows) : [];
  const all = [...rows, ...around];
  const delegated = all.filter(isDelegated);
  const open = all.filter(({ state }) => state === 'missing');
  const { answers, lame, warning } = answersOf(delegated);
  const prefix = printPrefix(enclosingPrefix(range));
  const single = delegated.length === 1 ? delegated[0]! : null;
  if (all.length === 0)
    return {
      health: {
        about: 'reverse-dns',
        mark: 'info',
        word: 'No zone of its own',
        facts: [fact('Why', 'Parts of a /24 are handed on inside its zone (RFC 2317)')],
      },
    };
  return {
    health: {
      about: 'reverse-dns',
      mark: lame + warning > 0 ? 'warning' : answers > 0 && open.length === 0 ? 'valid' : 'info',
      word: answersInWords(all),
      facts: delegationFacts(delegated, open, prefix),
      actions: [
        ...(single ? [{ label: 'Check now', link: `/technical/rdnscheck?zone=${single.zone}` }] : []),
        ...(single
          ? [{ label: 'Edit zone', link: `${hrefOfZone(single.zone)}&edit=yes` }]
          : [{ label: 'Reverse DNS', link: `/resources/ReverseDNSSummary?view=table&q=${prefix}` }]),
      ],
    },
    marks: [
      ...(policy ? await lameMarks(read, delegated, policy) : []),
      ...delegated
        .filter(({ dnssec }) => dnssec === 'broken' || dnssec === 'ends-soon')
        .slice(0, NAMED)
        .map(signatureMark),
      ...(open.length > 0 ? [undelegatedMark(open, hrefOfAdding(range, prefix))] : []),
    ],
  };
}

async function lameMarks(read: Read, zones: readonly ReverseZone[], { profile, now }: Policy): Promise<RecordMark[]> {
  if (!zones.some(({ lame }) => lame.length > 0)) return [];
  const rows = await read.rows<
    LameRow & { zone: string; server: string }
  >(sql`select zone, server, since, notified_at, disabled_at from rdns_lame_server
    where zone = any(${zones.map(({ zone }) => zone)}::text[]) and answered_at is null order by since, zone, server limit ${NAMED}`);
  return rows.map(row => {
    const { removeOn } = lameDays(row, profile, now);
    return {
      about: 'reverse-dns',
      mark: 'warning',
      code: 'server-lame',
      message: `${row.server} hasn’t answered for ${row.zone} since ${readersDay(row.since)}. ${
        row.disabledAt
          ? `It’s left out of the registry’s zone since ${readersDay(row.disabledAt)}`
          : removeOn
            ? `It’s left out of the registry’s zone on ${dayInWords(removeOn)} unless it answers`
            : 'Lookups are slow or fail'
      }`,
      fix: { label: 'How to fix it', link: hrefOfZone(row.zone) },
    };
  });
}
