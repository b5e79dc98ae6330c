import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import type { Route, RouteObject, RouteRoaState, RouteWhoisState, routes } from '@portal/contract/routes/routes';
import {
  containsResource,
  countSet,
  overlapsRange,
  parsePrefix,
  printAsNumber,
  type ResourceSet,
  resourceSetOf,
} from '@portal/number-resources';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Read } from '../../platform/database/index.ts';
import { tableFile } from '../../platform/table-file.ts';
import { routingView } from '../bgp-tables/index.ts';
import { delegatedAsNumbers } from '../resources/index.ts';
import { roasOf, tallyOf, type ValidatedAnnouncement, validateAnnouncements, vrpsAround } from '../rpki/index.ts';
import { type AccountRoutes, accountRoutes, objectName, objectsByName } from './account-routes.ts';
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

/** All routes of an account, with ROAs and route objects without a route, ordered by prefix. */
async function allRoutes(
  read: Pick<Read, 'rows'>,
  accountName: string,
  source: string,
): Promise<{ now: AccountRoutes; rows: Route[]; announcements: ValidatedAnnouncement[]; collectedAt: string | null }> {
  const now = await accountRoutes(read, accountName);
  const roas = new Map((await roasOf(read, accountName)).map(roa => [keyOf(roa), roa]));
  const view = await routingView(read, accountName, now.space);
  const announcements = validateAnnouncements(view.announcements, await vrpsAround(read, now.space));
  const seen = new Map(announcements.map(each => [keyOf(each), each]));
  const objects = objectsByName(now.objects);
  const mine = new Set(now.maintainers.map(({ key }) => key));
  const wanted = new Set(now.kept.map(keyOf));
  const objectNames = new Set(now.kept.flatMap(route => [route.prefix, ...route.subRoutes].map(prefix => objectName(prefix, route.asn))));
  const strays = new Map<string, KeptRoute>();
  const stray = (facts: { prefix: string; asn: number }, more: Partial<KeptRoute>) => {
    const key = keyOf(facts);
    strays.set(key, { ...(strays.get(key) ?? emptyRoute(facts.prefix, facts.asn)), ...more });
  };
  for (const roa of roas.values()) if (!wanted.has(keyOf(roa))) stray(roa, { maxLength: roa.maxLength, comment: roa.comment });
  for await (const object of inTurns(now.objects))
    if (!wanted.has(keyOf(object)) && !objectNames.has(objectName(object.prefix, object.asn)))
      stray(object, factsOfObject(object.text, mine));
  for (const announcement of announcements)
    if (!wanted.has(keyOf(announcement)) && !strays.has(keyOf(announcement))) stray(announcement, {});
  const all = [...now.kept, ...strays.values()];
  const known = await delegatedAsNumbers(
    read,
    all.map(({ asn }) => asn),
  );
  const rowOf = (route: KeptRoute): Route => {
    const isStray = route.routeId === '';
    const roa = roas.get(keyOf(route));
    const announcement = seen.get(keyOf(route));
    const objectsOf = isStray || !route.whois ? [route.prefix] : [route.prefix, ...route.subRoutes];
    const list = objectsOf.map((prefix): RouteObject => {
      const name = objectName(prefix, route.asn);
      const object = objects.get(name) ?? null;
      return {
        prefix,
        shown: object?.shown ?? `${prefix}${printAsNumber(route.asn)}`,
        class: prefix.includes(':') ? 'route6' : 'route',
        state: object
          ? !isMaintainedBy(object, mine)
            ? 'foreign'
            : isStray || !route.whois
              ? 'unmanaged'
              : haveSameAttributes(object.text, objectText(prefix, route.asn, route, now.usual, source))
                ? 'present'
                : 'drifted'
          : isStray || !route.whois
            ? 'off'
            : missingState(now.consents.get(name)?.state),
        maintainers: object ? object.maintainers.map(key => key.toUpperCase()) : [],
        text: object?.text ?? null,
      };
    });
    const { routeId, changedAt, ...facts } = route;
    return {
      routeId: isStray ? null : routeId,
      ...facts,
      roaState: roaStateOf(route, roa),
      roaMaxLength: roa?.maxLength ?? null,
      whoisState: worstOf(list),
      objects: list.filter(({ state }) => state !== 'off'),
      holder: route.asn === 0 ? 'none' : holdsAs(now.held, route.asn) ? 'mine' : known.has(route.asn) ? 'other' : 'unknown',
      seenBy: announcement?.peers ?? null,
      validity: announcement?.validity ?? null,
      changedAt: isStray ? null : changedAt,
    };
  };
  const rows: Route[] = [];
  for await (const route of inTurns(all)) rows.push(rowOf(route));
  return { now, rows: rows.toSorted(byPrefix), announcements, collectedAt: view.collectedAt };
}

/** Number of rows processed before yielding to other calls. */
const AT_ONCE = 100;

/** Yields the rows of an account, letting other calls run in between: there may be tens of thousands. */
async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [place, row] of rows.entries()) {
    yield row;
    if (place % AT_ONCE === AT_ONCE - 1) await breathe();
  }
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

const sortKeys = new WeakMap<Route, ReturnType<typeof parsePrefix>>();
const prefixOf = (route: Route) => {
  let prefix = sortKeys.get(route);
  if (!prefix) sortKeys.set(route, (prefix = parsePrefix(route.prefix)));
  return prefix;
};
const compare = (a: bigint | number | string, b: bigint | number | string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPrefix = (one: Route, other: Route): number => {
  const [a, b] = [prefixOf(one), prefixOf(other)];
  return compare(a.family, b.family) || compare(a.first, b.first) || a.length - b.length || one.asn - other.asn;
};

/** The routes that match, in the order asked for. */
function matching(rows: readonly Route[], { q, id, family, show, sort, direction }: Filters): Route[] {
  const found = rows.filter(
    route =>
      (id === undefined || route.routeId === id) &&
      (family === undefined || (route.prefix.includes(':') ? 'ipv6' : 'ipv4') === family) &&
      isShown(route, show) &&
      matches(route, q),
  );
  if (sort === 'asn') found.sort((a, b) => a.asn - b.asn || byPrefix(a, b));
  if (sort === 'changedAt') found.sort((a, b) => compare(a.changedAt ?? '', b.changedAt ?? '') || byPrefix(a, b));
  return direction === 'desc' ? found.toReversed() : found;
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

function matches(route: Route, q: string): boolean {
  if (q === '') return true;
  const sought = q.toLowerCase();
  if (route.prefix.startsWith(sought) || sought.replace(/^as/, '') === String(route.asn)) return true;
  if ([route.comment, route.owner, route.descr].some(text => text.toLowerCase().includes(sought))) return true;
  if (!q.includes('/')) return false;
  try {
    return overlapsRange(parsePrefix(q), prefixOf(route));
  } catch {
    return false;
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
  const { now, rows, announcements, collectedAt } = await allRoutes(read, accountName, source);
  const found = matching(rows, filters);
  return {
    version: now.version,
    rows: found.slice(offset, offset + limit),
    total: found.length,
    totals: totalsOf(found),
    rpki: now.authorityVersion === null ? 'off' : 'on',
    collectedAt,
    tally: tallyOf(announcements.map(({ validity }) => validity)),
    maintainers: now.maintainers.map(({ shown }) => shown),
  };
}

/** Counts of these routes, and the addresses they cover, each counted once. */
function totalsOf(found: readonly Route[]): AnswerOf<typeof routes.listRoutes>['totals'] {
  const covered = resourceSetOf(found.map(prefixOf));
  return {
    routes: found.filter(({ routeId }) => routeId !== null).length,
    unmanaged: found.filter(({ routeId }) => routeId === null).length,
    attention: found.filter(needsAttention).length,
    ipv4Addresses: String(countSet(covered, 'ipv4')),
    ipv6Networks: String(countSet(covered, 'ipv6') >> 64n),
  };
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
  const { rows } = await allRoutes(read, accountName, source);
  const lines = matching(rows, filters).map(route => ({
    ...route,
    asn: printAsNumber(route.asn),
    roa: route.roa ? 'yes' : 'no',
    whois: route.whois ? 'yes' : 'no',
    validity: route.validity ?? 'not seen',
  }));
  return tableFile(
    `${accountName}-routes`,
    format,
    fileColumns,
    (async function* () {
      for (let at = 0; at < lines.length; at += 1_000) yield await Promise.resolve(lines.slice(at, at + 1_000));
    })(),
  );
}
