import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import type { AnswerOf, QueryOf } from '@portal/contract';
import { type lookingGlass, maxLooksAMinute } from '@portal/contract/looking-glass/looking-glass';
import { coverRange, parseAsNumber, parsePrefix, printPrefix, readResource, validateOrigin, type VrpIndex } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { indexInTurns, vrpsCovering } from '../rpki/index.ts';
import { type Look, lookedAtRouters, type Routers, type SeenRoute } from './routers.ts';

/** Maximum number of routes shown in an answer. */
const MAX = 200;
/** The registry's own source: route objects. */
const registered = { router: 'registered', name: 'Registered routes', location: 'Route objects in whois' };

/** Routers, and the registered routes as the last. */
export const listRouters = async ({
  registry: { outside },
}: Act<typeof lookingGlass.listRouters>): Promise<AnswerOf<typeof lookingGlass.listRouters>> => ({
  rows: [...outside(lookedAtRouters).list, registered],
});

/** Parses a person's input; only numbers reach a router. @throws Failure INVALID_REQUEST */
function readLook({ command, argument }: Pick<QueryOf<typeof lookingGlass.lookUp>, 'command' | 'argument'>): Look {
  try {
    if (command === 'origin') return { origin: parseAsNumber(argument) };
    const resource = readResource(argument);
    if (resource.family === 'asn') throw refuseField('argument', 'Enter a prefix or an address, or ask by origin');
    const [prefix] = coverRange(resource);
    return { family: resource.family, prefix: printPrefix(prefix!), exact: command === 'exact' };
  } catch (error) {
    if ('code' in (error as object) && (error as { status?: number }).status !== undefined) throw error;
    throw refuseField('argument', (error as Error).message);
  }
}

/** Times of each person's recent queries, in ms, counted in this process. */
const asked = new WeakMap<Routers, Map<string, number[]>>();

/** Counts a person's query. @throws Failure TOO_MANY_REQUESTS */
function countLook(routers: Routers, loginId: string, now: number): void {
  const times = asked.get(routers) ?? new Map<string, number[]>();
  asked.set(routers, times);
  const recent = (times.get(loginId) ?? []).filter(at => at > now - MINUTE_MS && at <= now);
  if (recent.length >= maxLooksAMinute)
    throw refuse('TOO_MANY_REQUESTS', { seconds: String(Math.ceil((recent[0]! + MINUTE_MS - now) / SECOND_MS)) });
  times.set(loginId, [...recent, now]);
  if (times.size > 10_000) times.clear();
}

/** Asks a router. @throws Failure TOO_MANY_REQUESTS, NOT_FOUND, UNAVAILABLE, INVALID_REQUEST */
export async function lookUp({
  read,
  caller,
  query,
  registry: { outside, now },
}: Act<typeof lookingGlass.lookUp>): Promise<AnswerOf<typeof lookingGlass.lookUp>> {
  const routers = outside(lookedAtRouters);
  countLook(routers, caller.loginId, now.getTime());
  const look = readLook(query);
  const isKnown = query.router === registered.router || routers.list.some(({ router }) => router === query.router);
  if (!isKnown) throw refuse('NOT_FOUND', { what: 'This router' });
  const started = performance.now();
  const { asked, text, routes } =
    query.router === registered.router
      ? await registeredRoutes(read, look)
      : await routers.ask(query.router, look).catch(() => {
          throw refuse('UNAVAILABLE');
        });
  const shown = routes.slice(0, MAX);
  const index = await indexInTurns(await vrpsCovering(read, [...new Set(shown.map(({ prefix }) => prefix))]));
  const rows = shown.map(({ origin, ...route }) => ({ ...route, rpki: stateOf({ prefix: route.prefix, origin }, index) }));
  return { asked, milliseconds: Math.round(performance.now() - started), rows, more: routes.length > MAX, text: text.slice(0, 100_000) };
}

/** Origin validation (RFC 6811). */
function stateOf({ prefix, origin }: Pick<SeenRoute, 'prefix' | 'origin'>, index: VrpIndex): 'valid' | 'invalid' | 'not-found' {
  const validity = validateOrigin(index, parsePrefix(prefix), origin ?? 0);
  return validity === 'valid' || validity === 'not-found' ? validity : 'invalid';
}

async function registeredRoutes(read: Pick<Read, 'rows'>, look: Look): Promise<{ asked: string; text: string; routes: SeenRoute[] }> {
  const wanted =
    'origin' in look
      ? sql`class in ('route', 'route6') and origin = ${look.origin}`
      : look.exact
        ? sql`class in ('route', 'route6') and first = ${look.prefix.split('/')[0]!}::inet and prefix_length = ${Number(look.prefix.split('/')[1])}`
        : sql`class in ('route', 'route6') and inet_merge(first, last) >>= ${look.prefix}::inet`;
  const rows = await read.rows<{ prefix: string; origin: number }>(
    sql`select coalesce(host(first) || '/' || prefix_length, '') as prefix, coalesce(origin, 0) as origin from whois_object where ${wanted} order by prefix_length desc, first, origin limit ${MAX + 1}`,
  );
  const asked = 'origin' in look ? `-i origin AS${look.origin}` : `-T route,route6 ${look.exact ? '-x' : '-L'} ${look.prefix}`;
  return {
    asked,
    text: rows.map(({ prefix, origin }) => `${prefix} AS${origin}`).join('\n'),
    routes: rows.map(({ prefix, origin }, index) => ({
      prefix,
      best: index === 0 && !('origin' in look),
      path: [Number(origin)],
      origin: Number(origin),
      nextHop: null,
      communities: [],
    })),
  };
}
