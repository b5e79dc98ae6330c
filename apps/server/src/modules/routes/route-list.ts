import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import type { Route, RouteObject, RouteRoaState, RouteWhoisState, routes } from '@portal/contract/routes/routes';
import { containsResource, overlapsRange, parsePrefix, type Prefix, printAsNumber, type ResourceSet } from '@portal/number-resources';
import { type Breathe, breathing, filteredInTurns, mapInTurns, mappedInTurns, sortedInTurns } from '../../platform/breathing.ts';
import { PAGE_ROWS, type Read } from '../../platform/database/index.ts';
import { tableFile } from '../../platform/table-file.ts';
import { routingView } from '../bgp-tables/index.ts';
import { delegatedAsNumbers, holdingsOf } from '../resources/index.ts';
import { roasOf, tallyOf, type ValidatedAnnouncement, validateAnnouncements, vrpsAround } from '../rpki/index.ts';
import { type AccountRoutes, accountRoutes, objectName, objectsByName, spaceOf } from './account-routes.ts';
import { maintainersOfRoute, type RouteObjectRow } from '../whois/index.ts';
import { factsOfObject, haveSameAttributes, isMaintainedBy, objectText } from './object-text.ts';
import { type KeptRoute, keyOf } from './route-rows.ts';
import type { Act } from '../../platform/http/endpoints.ts';

type Filters = Omit<QueryOf<typeof routes.listRoutes>, 'offset' | 'limit'>;
type Roa = Awaited<ReturnType<typeof roasOf>>[number];

/** States of a ROA or route object that differ from what the account wants. */
const wrong = new Set<RouteRoaState | RouteWhoisState>(['not-held', 'stopped', 'missing', 'differs', 'drifted', 'foreign', 'refused']);

/** True if a route needs attention: a part of it isn't as wanted, or its announcement is invalid. */
const needsAttention = ({ routeId, roaState, whoisState, validity }: Route): boolean =>
  (routeId !== null && (wrong.has(roaState) || wrong.has(whoisState))) || (validity?.startsWith('invalid') ?? false);

type ReadLists = Pick<Read, 'rows' | 'stream'>;

/** A route of the list, and its prefix as numbers. */
type Row = { route: Route; prefix: Prefix };

/** Facts about the routes of an account, by the keys of routes and the names of objects. */
type Known = {
  now: AccountRoutes;
  roas: ReadonlyMap<string, Roa>;
  seen: ReadonlyMap<string, ValidatedAnnouncement>;
  objects: ReadonlyMap<string, RouteObjectRow>;
  mine: ReadonlySet<string>;
  source: string;
};

/** All routes of an account, with ROAs and route objects without a route, ordered by prefix. There may be tens of thousands: others have their turn meanwhile. */
async function allRoutes(
  read: ReadLists,
  accountName: string,
  source: string,
): Promise<{ known: Known; rows: Row[]; announcements: ValidatedAnnouncement[]; collectedAt: string | null }> {
  const breathe = breathing();
  const held = (await holdingsOf(read, [accountName])).get(accountName)!;
  const space = spaceOf(held);
  // ROAs before the payloads: one that is published by then is among them, and one that becomes it in between is looked at again by the page.
  const [now, view, [roas, vrps]] = await Promise.all([
    accountRoutes(read, accountName, held),
    routingView(read, accountName, space),
    roasOf(read, accountName).then(async kept => [kept, await vrpsAround(read, space)] as const),
  ]);
  const { announcements } = await validateAnnouncements(view.announcements, vrps);
  const known: Known = {
    now,
    roas: await mapInTurns(roas, keyOf, breathe),
    seen: await mapInTurns(announcements, keyOf, breathe),
    objects: await objectsByName(now.objects),
    mine: new Set(now.maintainers.map(({ key }) => key)),
    source,
  };
  const all = [...now.kept];
  for (const stray of await straysOf(known, breathe)) {
    all.push(stray);
    await breathe();
  }
  const delegated = await delegatedAsNumbers(read, await mappedInTurns(all, ({ asn }) => asn, breathe));
  const rows: Row[] = [];
  for (const route of all) {
    rows.push({ route: rowOf(route, known, delegated), prefix: parsePrefix(route.prefix) });
    await breathe();
  }
  return { known, rows: await sortedInTurns(rows, byPrefix, breathe), announcements, collectedAt: view.collectedAt };
}

/** ROAs, route objects and announcements without a route, as routes. */
async function straysOf({ now, roas, seen }: Known, breathe: Breathe): Promise<Iterable<KeptRoute>> {
  const wanted = new Set<string>();
  const objectNames = new Set<string>();
  for (const route of now.kept) {
    wanted.add(keyOf(route));
    for (const prefix of [route.prefix, ...route.subRoutes]) objectNames.add(objectName(prefix, route.asn));
    await breathe();
  }
  const strays = new Map<string, KeptRoute>();
  const stray = (facts: { prefix: string; asn: number }, more: Partial<KeptRoute>): void => {
    const key = keyOf(facts);
    const known = strays.get(key) ?? emptyRoute(facts.prefix, facts.asn);
    strays.set(key, Object.assign(known, more));
  };
  for (const roa of roas.values()) {
    if (!wanted.has(keyOf(roa))) stray(roa, { maxLength: roa.maxLength, comment: roa.comment });
    await breathe();
  }
  for (const object of now.objects) {
    if (!wanted.has(keyOf(object)) && !objectNames.has(objectName(object.prefix, object.asn))) stray(object, {});
    await breathe();
  }
  for (const [key, announcement] of seen) {
    if (!wanted.has(key) && !strays.has(key)) stray(announcement, {});
    await breathe();
  }
  return strays.values();
}

/**
 * A route as it is shown. Of one without an entry in the list, what its object says is filled in now: reading a text costs more than all else of a row, and a region's
 * largest holders have thousands of them, of which a person sees a page.
 */
function finished(route: Route, known: Known): Route {
  const object = route.routeId === null ? known.objects.get(objectName(route.prefix, route.asn)) : undefined;
  if (!object) return route;
  const shown = routeObject(route.prefix, emptyRoute(route.prefix, route.asn), known);
  return { ...route, ...factsOfObject(object.text, known.mine), whoisState: shown.state, objects: [shown] };
}

/** A row of the list, before it is finished. @param delegated AS numbers that some registry delegated */
function rowOf(route: KeptRoute, known: Known, delegated: ReadonlySet<number>): Route {
  const isStray = route.routeId === '';
  const roa = known.roas.get(keyOf(route));
  const announcement = known.seen.get(keyOf(route));
  const list = objectsOf(route, known);
  const { prefix, asn, maxLength, roa: isWanted, whois, subRoutes, descr, maintainer, attributes, comment, owner } = route;
  return {
    routeId: isStray ? null : route.routeId,
    prefix,
    asn,
    maxLength,
    roa: isWanted,
    whois,
    subRoutes,
    descr,
    maintainer,
    attributes,
    comment,
    owner,
    roaState: roaStateOf(route, roa),
    roaMaxLength: roa?.maxLength ?? null,
    whoisState: worstOf(list),
    objects: list.filter(({ state }) => state !== 'off'),
    holder: asn === 0 ? 'none' : holdsAs(known.now.held, asn) ? 'mine' : delegated.has(asn) ? 'other' : 'unknown',
    seenBy: announcement?.peers ?? null,
    validity: announcement?.validity ?? null,
    changedAt: isStray ? null : route.changedAt,
  };
}

/** The route objects of an entry of the list, those that are missing too; of one without any, none. */
function objectsOf(route: KeptRoute, known: Known): RouteObject[] {
  if (route.routeId === '') return [];
  if (route.whois) return [route.prefix, ...route.subRoutes].map(prefix => routeObject(prefix, route, known));
  return known.objects.has(objectName(route.prefix, route.asn)) ? [routeObject(route.prefix, route, known)] : [];
}

/** The route object of a prefix of a route. */
function routeObject(prefix: string, route: KeptRoute, { now, objects, mine, source }: Known): RouteObject {
  const isWanted = route.routeId !== '' && route.whois;
  const name = objectName(prefix, route.asn);
  const object = objects.get(name) ?? null;
  return {
    prefix,
    shown: object?.shown ?? `${prefix}${printAsNumber(route.asn)}`,
    class: prefix.includes(':') ? 'route6' : 'route',
    state: object
      ? !isMaintainedBy(object, mine)
        ? 'foreign'
        : !isWanted
          ? 'unmanaged'
          : haveSameAttributes(object.text, objectText(prefix, route.asn, route, now.usual, source))
            ? 'present'
            : 'drifted'
      : !isWanted
        ? 'off'
        : missingState(now.consents.get(name)?.state),
    maintainers: object ? maintainersOfRoute(object).map(key => key.toUpperCase()) : [],
    text: object?.text ?? null,
  };
}

const emptyRoute = (prefix: string, asn: number): KeptRoute => ({
  routeId: '',
  changedAt: '',
  prefix,
  asn,
  maxLength: Number(prefix.split('/')[1]),
  roa: false,
  whois: false,
  subRoutes: [],
  descr: '',
  maintainer: '',
  attributes: '',
  comment: '',
  owner: '',
});

const holdsAs = (held: ResourceSet, asn: number): boolean => containsResource(held, { family: 'asn', first: asn, last: asn });

const missingState = (consent: string | undefined): RouteWhoisState =>
  consent === 'waiting' ? 'waiting' : consent === 'refused' || consent === 'expired' || consent === 'failed' ? 'refused' : 'missing';

function roaStateOf({ roa: isWanted, maxLength }: KeptRoute, roa: Roa | undefined): RouteRoaState {
  if (!isWanted) return roa ? 'unmanaged' : 'off';
  if (!roa) return 'missing';
  return roa.maxLength === maxLength ? roa.state : 'differs';
}

/** The state of several objects is the most urgent one. */
const severity: readonly RouteWhoisState[] = ['foreign', 'drifted', 'missing', 'refused', 'waiting', 'unmanaged', 'present', 'off'];
const worstOf = (objects: readonly RouteObject[]): RouteWhoisState =>
  severity.find(state => objects.some(object => object.state === state)) ?? 'off';

const compare = (a: bigint | number | string, b: bigint | number | string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPrefix = ({ prefix: a, route: one }: Row, { prefix: b, route: other }: Row): number =>
  compare(a.family, b.family) || compare(a.first, b.first) || a.length - b.length || one.asn - other.asn;

type Matching = {
  /** In the order asked for. */
  rows: Row[];
  totals: AnswerOf<typeof routes.listRoutes>['totals'];
};

/** The routes that match, and counts of them. @param rows ordered by prefix */
async function matching(rows: readonly Row[], { q, id, family, show, sort, direction }: Filters, known: Known): Promise<Matching> {
  const breathe = breathing();
  const isSought = sought(q);
  const found = await filteredInTurns(
    rows,
    ({ route, prefix }) =>
      (id === undefined || route.routeId === id) &&
      (family === undefined || (route.prefix.includes(':') ? 'ipv6' : 'ipv4') === family) &&
      isShown(route, show) &&
      (q === '' || isSought(finished(route, known), prefix)),
    breathe,
  );
  const totals = await totalsOf(found, breathe);
  const sorted =
    sort === 'asn'
      ? await sortedInTurns(found, (a, b) => a.route.asn - b.route.asn || byPrefix(a, b), breathe)
      : sort === 'changedAt'
        ? await sortedInTurns(found, (a, b) => compare(a.route.changedAt ?? '', b.route.changedAt ?? '') || byPrefix(a, b), breathe)
        : found;
  return { rows: direction === 'desc' ? sorted.toReversed() : sorted, totals };
}

function isShown(route: Route, show: Filters['show']): boolean {
  switch (show) {
    case 'managed':
      return route.routeId !== null;
    case 'unmanaged':
      return route.routeId === null;
    case 'attention':
      return needsAttention(route);
    case 'not-seen':
      return route.routeId !== null && route.seenBy === null;
    case 'invalid':
      return route.validity?.startsWith('invalid') ?? false;
    default:
      return true;
  }
}

/** Returns whether a route is one that this text means: a part of its words, its AS number, or addresses in common. */
function sought(q: string): (route: Route, prefix: Prefix) => boolean {
  if (q === '') return () => true;
  const text = q.toLowerCase();
  const asNumber = text.replace(/^as/, '');
  const block = q.includes('/') ? blockOf(q) : null;
  return (route, prefix) =>
    route.prefix.startsWith(text) ||
    asNumber === String(route.asn) ||
    [route.comment, route.owner, route.descr].some(words => words.toLowerCase().includes(text)) ||
    (block !== null && overlapsRange(block, prefix));
}

function blockOf(text: string): Prefix | null {
  try {
    return parsePrefix(text);
  } catch {
    return null;
  }
}

/** A page of the routes of an account, with totals of all that match. */
export async function listRoutes({
  read,
  account: { accountName },
  query: { offset, limit, ...filters },
  registry: {
    profile: { source },
  },
}: Act<typeof routes.listRoutes>): Promise<AnswerOf<typeof routes.listRoutes>> {
  const { known, rows, announcements, collectedAt } = await allRoutes(read, accountName, source);
  const { now } = known;
  const { rows: found, totals } = await matching(rows, filters, known);
  return {
    version: now.version,
    rows: found.slice(offset, offset + limit).map(({ route }) => finished(route, known)),
    total: found.length,
    totals,
    rpki: now.authorityVersion === null ? 'off' : 'on',
    collectedAt,
    tally: tallyOf(announcements.map(({ validity }) => validity)),
    maintainers: now.maintainers.map(({ shown }) => shown),
  };
}

/** Counts of these routes, and the addresses they cover, each counted once. @param found ordered by prefix, so that one is either inside those before it, or behind them */
async function totalsOf(found: readonly Row[], breathe: Breathe): Promise<Matching['totals']> {
  const totals = { routes: 0, unmanaged: 0, attention: 0 };
  const covered = { ipv4: { until: -1n, addresses: 0n }, ipv6: { until: -1n, addresses: 0n } };
  for (const { route, prefix } of found) {
    totals[route.routeId === null ? 'unmanaged' : 'routes']++;
    if (needsAttention(route)) totals.attention++;
    const { family, first, last } = prefix;
    const sum = covered[family];
    if (last > sum.until) {
      sum.addresses += last - first + 1n;
      sum.until = last;
    }
    await breathe();
  }
  return { ...totals, ipv4Addresses: String(covered.ipv4.addresses), ipv6Networks: String(covered.ipv6.addresses >> 64n) };
}

/** Columns of the download, stable for scripts and readable by the import. */
const fileColumns = [
  'prefix',
  'asn',
  'maxLength',
  'roa',
  'whois',
  'comment',
  'owner',
  'roaState',
  'whoisState',
  'seenBy',
  'validity',
] as const;

/** All routes that match, as a file. */
export async function exportRoutes({
  read,
  account: { accountName },
  query: { format, ...filters },
  registry: {
    profile: { source },
  },
}: Act<typeof routes.exportRoutes>): Promise<Download> {
  const { known, rows } = await allRoutes(read, accountName, source);
  const { rows: found } = await matching(rows, filters, known);
  const breathe = breathing();
  return tableFile(
    `${accountName}-routes`,
    format,
    fileColumns,
    (async function* () {
      for (let at = 0; at < found.length; at += PAGE_ROWS)
        yield await mappedInTurns(found.slice(at, at + PAGE_ROWS), ({ route }) => lineOf(finished(route, known)), breathe);
    })(),
  );
}

const lineOf = (route: Route) => ({
  ...route,
  asn: printAsNumber(route.asn),
  roa: route.roa ? 'yes' : 'no',
  whois: route.whois ? 'yes' : 'no',
  validity: route.validity ?? 'not seen',
});
