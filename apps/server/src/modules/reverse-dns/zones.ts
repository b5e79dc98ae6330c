import type { AnswerOf, QueryOf } from '@portal/contract';
import type { ReverseZone, reverseDns, ZoneBlock } from '@portal/contract/reverse-dns/reverse-dns';
import { type FoundState, foundStates, type ZoneState } from '@portal/contract/reverse-dns/zone-states';
import {
  coverRange,
  listResources,
  type Prefix,
  parsePrefix,
  parseReverseZone,
  placeZones,
  printPrefix,
  printReverseZone,
  readResource,
  ResourceSyntaxError,
  zonesNear,
} from '@portal/number-resources';
import { sql } from 'kysely';
import { filteredInTurns, mappedInTurns } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { registryName } from '../rdap/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { type DelegatedZone, delegatedZones, type ZoneContacts, zonesInTrouble } from './domain-objects.ts';
import { noFacts, type ZoneFacts, zoneFacts } from './zone-facts.ts';
import type { Act } from '../../platform/http/endpoints.ts';

type Reader = Pick<Read, 'rows'>;

/** The account's prefixes, adjacent delegations joined. */
export async function heldPrefixes(read: Reader, accountName: string): Promise<Prefix[]> {
  const held = (await holdingsOf(read, [accountName])).get(accountName);
  if (!held) return [];
  return listResources(held).flatMap(each => (each.family === 'asn' ? [] : coverRange(each)));
}

/** Every zone needed for an account's space, and every zone delegated in it, by holding, in address order. */
async function zonesOf(read: Reader, accountName: string): Promise<{ prefix: Prefix; rows: ReverseZone[] }[]> {
  const prefixes = await heldPrefixes(read, accountName);
  return rowsOf(read, prefixes, await delegatedZones(read, prefixes));
}

/** The delegated zones of an account's space in which something is wrong, or was before the object changed, in address order. */
export async function troubledZones(read: Reader, accountName: string): Promise<ReverseZone[]> {
  const zones = await zonesInTrouble(read, await heldPrefixes(read, accountName));
  const facts = await zoneFacts(read, zones);
  return zones.map(zone => rowOf(zone, facts.get(zone.zone) ?? noFacts, printPrefix(zone.prefix)));
}

/** The rows of some prefixes, with what was last found of each delegation. */
export async function rowsOf(
  read: Reader,
  prefixes: readonly Prefix[],
  delegated: readonly DelegatedZone[],
): Promise<{ prefix: Prefix; rows: ReverseZone[] }[]> {
  const facts = await zoneFacts(read, delegated);
  const byName = new Map(delegated.map(each => [each.zone, each]));
  const near = zonesNear(delegated.map(each => each.prefix));
  return mappedInTurns(prefixes, prefix => ({
    prefix,
    rows: placeZones(prefix, near(prefix)).flatMap(({ zone, state, by, inner }) => {
      const name = printReverseZone(zone);
      const own = byName.get(name);
      const base = { within: printPrefix(prefix), kind: zone.family };
      const row = own
        ? rowOf(own, facts.get(name) ?? noFacts, base.within)
        : emptyRow(zone, base.within, state === 'exact' ? 'missing' : state, by && printReverseZone(by));
      return [row, ...inner.flatMap(each => innerRow(byName, facts, each, base.within))];
    }),
  }));
}

function innerRow(
  byName: ReadonlyMap<string, DelegatedZone>,
  facts: ReadonlyMap<string, ZoneFacts>,
  prefix: Prefix,
  within: string,
): ReverseZone[] {
  const zone = byName.get(printReverseZone(prefix));
  return zone ? [rowOf(zone, facts.get(zone.zone) ?? noFacts, within)] : [];
}

/** One delegated zone as pages show it, with what was last found of it. */
function rowOf({ zone, prefix, servers, ds, version }: DelegatedZone, facts: ZoneFacts, within: string): ReverseZone {
  return {
    zone,
    prefix: printPrefix(prefix),
    kind: prefix.family,
    within,
    servers,
    ds,
    coveredBy: null,
    version,
    ...facts,
    dnssec: facts.dnssec ?? (ds.length > 0 ? 'signed' : 'none'),
  };
}

/** Returns what the last checks found of the delegated ones of these zones, by their names; parts of a /24 (RFC 2317) and names of none are left out. */
export async function foundOfZones(read: Reader, names: readonly string[]): Promise<Map<string, FoundState>> {
  const wanted = new Set(names);
  const delegated = (await delegatedZones(read, names.flatMap(prefixesOf))).filter(({ zone }) => wanted.has(zone));
  const facts = await zoneFacts(read, delegated);
  return new Map(delegated.map(({ zone }) => [zone, foundStates.find(state => state === facts.get(zone)?.state) ?? 'unchecked']));
}

function prefixesOf(zone: string): Prefix[] {
  try {
    return [parseReverseZone(zone)];
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return [];
    throw error;
  }
}

const emptyRow = (prefix: Prefix, within: string, state: ZoneState, coveredBy: string | null): ReverseZone => ({
  zone: printReverseZone(prefix),
  prefix: printPrefix(prefix),
  kind: prefix.family,
  within,
  servers: [],
  ds: [],
  version: null,
  ...noFacts,
  state,
  coveredBy: state === 'covered' ? coveredBy : null,
  dnssec: 'none',
});

const isDelegated = ({ version }: ReverseZone): boolean => version !== null;
const isNeeded = (row: ReverseZone, prefix: Prefix): boolean => parsePrefix(row.prefix).length === cutOf(prefix) || row.coveredBy !== null;
/** A needed zone that is delegated as a whole. */
const isCovered = (row: ReverseZone, prefix: Prefix): boolean => isNeeded(row, prefix) && row.state !== 'missing' && row.state !== 'partly';
const cutOf = ({ family, length }: Prefix): number =>
  family === 'ipv4' ? Math.max(8, Math.ceil(length / 8) * 8) : Math.ceil(length / 4) * 4;

/** Returns the zones needed for an account's space and their states, as a map and as counts. */
export const getSummary = ({
  read,
  account: { accountName },
}: Act<typeof reverseDns.getSummary>): Promise<AnswerOf<typeof reverseDns.getSummary>> => zoneSummary(read, accountName);

/** Returns the reverse zones of an account, counted by their state and by block. */
export async function zoneSummary(read: Reader, accountName: string): Promise<AnswerOf<typeof reverseDns.getSummary>> {
  const prefixes = await heldPrefixes(read, accountName);
  const [delegated, outside] = await Promise.all([delegatedZones(read, prefixes), outsideOf(read, accountName, prefixes)]);
  const blocks = await rowsOf(read, prefixes, delegated);
  const rows = blocks.flatMap(each => each.rows);
  const count = (wanted: (row: ReverseZone) => boolean): number => rows.filter(wanted).length;
  const servers = new Map<string, { zones: number; answers: number; checked: number }>();
  for (const { servers: names, state, problem } of rows.filter(isDelegated))
    for (const name of names.map(hostOf)) {
      const sum = servers.get(name) ?? { zones: 0, answers: 0, checked: 0 };
      sum.zones++;
      if (state !== 'unchecked') sum.checked++;
      if (state === 'ok' || state === 'warning' || (state === 'lame' && !(problem ?? '').includes(name))) sum.answers++;
      servers.set(name, sum);
    }
  const checks = rows.flatMap(({ checkedAt }) => checkedAt ?? []);
  return {
    counts: {
      needed: blocks.reduce((sum, { prefix, rows: zones }) => sum + zones.filter(row => isNeeded(row, prefix)).length, 0),
      covered: blocks.reduce((sum, { prefix, rows: zones }) => sum + zones.filter(row => isCovered(row, prefix)).length, 0),
      delegated: count(isDelegated),
      ok: count(({ state }) => state === 'ok'),
      warning: count(({ state }) => state === 'warning'),
      lame: count(({ state }) => state === 'lame'),
      unchecked: count(({ state }) => state === 'unchecked'),
      missing: count(({ state }) => state === 'missing'),
      signed: count(({ dnssec }) => dnssec !== 'none'),
      endsSoon: count(({ dnssec }) => dnssec === 'ends-soon' || dnssec === 'broken'),
    },
    contacts: usualContacts(delegated),
    lastCheckedAt: checks.toSorted().at(-1) ?? null,
    blocks: blocks.flatMap(({ prefix, rows: zones }) => (zones.length === 0 ? [] : [blockOf(prefix, zones)])),
    outside,
    servers: [...servers]
      .map(([server, sums]) => ({ server, ...sums }))
      .toSorted((a, b) => b.zones - a.zones || (a.server < b.server ? -1 : 1))
      .slice(0, 20),
  };
}

/** Prefixes that are named; more are counted. */
const NAMED = 5;

/** Space of an account whose reverse zones this registry doesn't delegate: that of other registries, and parts of a /24. */
async function outsideOf(
  read: Reader,
  accountName: string,
  held: readonly Prefix[],
): Promise<AnswerOf<typeof reverseDns.getSummary>['outside']> {
  const rows = await read.rows<{ registry: string; prefixes: string[]; count: number }>(sql`
    select registry, count(*)::int as count, (array_agg(resource order by first))[1:${NAMED}] as prefixes from delegation
    where account_name = ${accountName} and registry <> '' and kind in ('ipv4', 'ipv6') and status <> 'closed' group by registry order by 2 desc, 1`);
  const small = held.filter(({ family, length }) => family === 'ipv4' && length > 24).map(printPrefix);
  return [
    ...rows.map(({ registry, prefixes, count }) => ({ why: 'registry' as const, registry: registryName(registry), prefixes, count })),
    ...(small.length > 0 ? [{ why: 'small' as const, registry: null, prefixes: small.slice(0, NAMED), count: small.length }] : []),
  ];
}

/** The contacts that most zones have; null without a zone. */
function usualContacts(delegated: readonly DelegatedZone[]): ZoneContacts | null {
  const alike = Map.groupBy(delegated, ({ contacts: { adminC, techC, zoneC } }) => `${adminC}|${techC}|${zoneC}`);
  const [most] = [...alike.values()].toSorted((a, b) => b.length - a.length);
  return most?.[0]?.contacts ?? null;
}

const hostOf = (server: string): string => server.split(' ')[0]!;

function blockOf(prefix: Prefix, rows: readonly ReverseZone[]): ZoneBlock {
  const names = rows.map(({ zone }) => zone.split('.'));
  // Labels from the end on that all names have in common.
  let shared = 0;
  while (names.length > 1 && names.every(labels => labels.length > shared + 1 && labels.at(-1 - shared) === names[0]!.at(-1 - shared)))
    shared++;
  if (names.length === 1) shared = names[0]!.length - 1;
  const ending = names[0]!.slice(names[0]!.length - shared).join('.');
  return {
    prefix: printPrefix(prefix),
    kind: prefix.family,
    ending,
    needed: rows.filter(row => isNeeded(row, prefix)).length,
    covered: rows.filter(row => isCovered(row, prefix)).length,
    delegated: rows.filter(isDelegated).length,
    signed: rows.filter(({ dnssec }) => dnssec !== 'none').length,
    cells: rows.map(({ zone, state, dnssec }) => ({ zone, label: zone.slice(0, zone.length - ending.length - 1), state, dnssec })),
  };
}

type Filters = Pick<QueryOf<typeof reverseDns.listZones>, 'q' | 'state' | 'dnssec' | 'server' | 'delegated'>;

/** The zones of an account that match, in address order. */
export async function findZones(
  read: Reader,
  accountName: string,
  { q, state, dnssec, server, delegated }: Filters,
): Promise<ReverseZone[]> {
  const rows = (await zonesOf(read, accountName)).flatMap(each => each.rows);
  const within = addressesOf(q);
  const word = q.toLowerCase();
  return filteredInTurns(
    rows,
    row =>
      (state === undefined || row.state === state) &&
      (dnssec === undefined || row.dnssec === dnssec) &&
      (delegated === undefined || isDelegated(row) === (delegated === 'true')) &&
      (server === undefined || row.servers.some(each => hostOf(each) === server)) &&
      (q === '' ||
        (within ? touches(parsePrefix(row.prefix), within) : row.zone.includes(word) || row.servers.some(each => each.includes(word)))),
  );
}

const list = new Intl.ListFormat('en-GB');
const inList = (names: readonly string[]): string => list.format([...names.slice(0, 3), ...(names.length > 3 ? ['more'] : [])]);

const touches = (a: { family: string; first: bigint; last: bigint }, b: { family: string; first: bigint; last: bigint }): boolean =>
  a.family === b.family && a.first <= b.last && b.first <= a.last;

/** The addresses in a search; null for words. */
function addressesOf(text: string): { family: string; first: bigint; last: bigint } | null {
  if (text === '') return null;
  try {
    if (/\.arpa\.?$/i.test(text)) return parseReverseZone(text);
    const resource = readResource(text);
    return resource.family === 'asn' ? null : resource;
  } catch {
    return null;
  }
}

/** The exact zones of a prefix and their state, for the wizard. Never throws for user input: the answer contains the problem. */
export async function planZones({
  read,
  account: { accountName },
  query: { prefix: text },
}: Act<typeof reverseDns.planZones>): Promise<AnswerOf<typeof reverseDns.planZones>> {
  const refused = (problem: string, suggestion: string | null = null, prefix: string | null = null) => ({
    prefix,
    problem,
    suggestion,
    rows: [],
  });
  let prefixes: Prefix[];
  try {
    if (/\.arpa\.?$/i.test(text)) prefixes = [parseReverseZone(text)];
    else {
      const resource = readResource(text);
      if (resource.family === 'asn') return refused('Enter a prefix, such as 192.0.2.0/24. AS numbers have no reverse zones');
      prefixes = coverRange(resource);
    }
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return refused(error.reason, error.suggestion ?? null);
  }
  const shown = prefixes.map(printPrefix).join(', ');
  const held = await heldPrefixes(read, accountName);
  const outside = prefixes.find(
    each => !held.some(block => block.family === each.family && block.first <= each.first && each.last <= block.last),
  );
  if (outside) {
    const parts = held.filter(block => touches(block, outside));
    // From the intended space, or at least of the same kind.
    const suggested = parts[0] ?? held.find(({ family }) => family === outside.family);
    return refused(
      parts.length === 0
        ? `${accountName} doesn’t hold ${printPrefix(outside)}. Enter a prefix of your own space`
        : `${accountName} holds only ${inList(parts.map(printPrefix))} of ${printPrefix(outside)}. Enter ${parts.length === 1 ? 'that' : 'one of them'}`,
      suggested ? printPrefix(suggested) : null,
      shown,
    );
  }
  const small = prefixes.find(each => each.family === 'ipv4' && each.length > 24);
  if (small) {
    const around = parsePrefix(`${printPrefix(small).split('/')[0]!.replace(/\d+$/, '0')}/24`);
    return refused(
      `${printPrefix(small)} is smaller than a /24, so it has no zone of its own. Delegate the /24, and hand its parts on inside that zone (RFC 2317)`,
      printPrefix(around),
      shown,
    );
  }
  const rows = (await rowsOf(read, prefixes, await delegatedZones(read, prefixes))).flatMap(each => each.rows);
  if (rows.length > 4_096) return refused('That is too many zones at a time. Enter a smaller prefix', null, shown);
  return { prefix: shown, problem: null, suggestion: null, rows };
}
