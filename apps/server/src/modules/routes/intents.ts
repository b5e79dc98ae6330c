import {
  type ChangedRoute,
  maxRoutesAtOnce,
  type NewRoute,
  type RouteChanges,
  type RouteFacts,
  type RouteProblem,
} from '@portal/contract/routes/routes';
import {
  addressBits,
  containsRange,
  containsResource,
  formatCount,
  parseAsNumber,
  parsePrefix,
  printAsNumber,
  printPrefix,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { breathing, mapInTurns } from '../../platform/breathing.ts';
import { type AccountRoutes, objectName, objectsByName, roasByKey } from './account-routes.ts';
import type { ReadImport } from './import-lines.ts';
import { attributesProblem, factsOfObject } from './object-text.ts';
import { type KeptRoute, keyOf } from './route-rows.ts';

/** The change of one route: its current and its wanted state. */
export type Intent = {
  list: RouteProblem['list'];
  /** Index in its list, for problems. */
  index: number;
  action: 'add' | 'change' | 'remove' | 'adopt';
  before: KeptRoute | null;
  after: RouteFacts | null;
  keepRoa?: boolean;
  keepObjects?: boolean;
  /** Whether route objects changed elsewhere are overwritten. */
  rewrites?: boolean;
};

export type ReadIntents = { intents: Intent[]; problems: RouteProblem[]; unchanged: number };

const shownRoute = ({ prefix, asn }: { prefix: string; asn: string | number }): string =>
  `${prefix} ${typeof asn === 'number' ? printAsNumber(asn) : asn}`.slice(0, 80);

/**
 * Compares a change, with its parsed text, with the current routes, while others have their turn. Returns the affected routes, `maxRoutesAtOnce` at most, and
 * the problems of each entry independently.
 */
export async function readIntents(changes: Omit<RouteChanges, 'text'>, imported: ReadImport, routes: AccountRoutes): Promise<ReadIntents> {
  const reading = await openReading(routes);
  const leaving = await readRemovals(reading, changes.remove);
  await readChanged(reading, changes.change);
  await readAdopted(reading, changes.adopt);
  await readAdded(reading, changes.add, leaving);
  await readImported(reading, imported);
  const { intents, problems, unchanged } = reading;
  if (intents.length > maxRoutesAtOnce)
    reading.report({ list: 'text', index: 1 }, '', `One change can have ${formatCount(maxRoutesAtOnce)} routes. Send the rest separately`);
  return { intents: intents.slice(0, maxRoutesAtOnce), problems, unchanged };
}

/** Where an entry stands in the change. */
type Entry = Pick<RouteProblem, 'list' | 'index'>;

/** The current routes as entries are compared with them, and what has been found so far. */
type Reading = Awaited<ReturnType<typeof openReading>>;

async function openReading(routes: AccountRoutes) {
  const objects = await objectsByName(routes.objects);
  const mine = new Set(routes.maintainers.map(({ key }) => key));
  const taken = new Set<string>();
  const intents: Intent[] = [];
  const problems: RouteProblem[] = [];
  const report = ({ list, index }: Entry, route: string, problem: string, field: string | null = null): void => {
    problems.push({ list, index, field, route, problem });
  };
  /** Notes that an entry is about a route. Returns whether it is the first; a later one is a problem. */
  const isFirstOf = (entry: Entry, key: string, name: string): boolean => {
    const isFirst = !taken.has(key);
    if (!isFirst) report(entry, name, 'This route is listed twice');
    taken.add(key);
    return isFirst;
  };
  return {
    /** Awaited for each entry: others have their turn. */
    breathe: breathing(),
    byId: await mapInTurns(routes.kept, ({ routeId }) => routeId),
    byKey: await mapInTurns(routes.kept, keyOf),
    roas: await roasByKey(routes.roas),
    objectOf: ({ prefix, asn }: { prefix: string; asn: number }) => objects.get(objectName(prefix, asn)),
    mine,
    intents,
    problems,
    unchanged: 0,
    report,
    isFirstOf,
    take(intent: Intent, key: string, name: string): void {
      if (isFirstOf(intent, key, name)) intents.push(intent);
    },
    /** Reports the problems of a route by itself. Returns whether there are none. */
    check(entry: Entry, facts: RouteFacts): boolean {
      const found = problemsOf(facts, routes);
      for (const [field, problem] of found) report(entry, shownRoute(facts), problem, field);
      return found.length === 0;
    },
    /** Completes a route of which only the whois object is known with the attributes of that object. */
    withObject(facts: RouteFacts): RouteFacts {
      if (!facts.whois || facts.descr !== '' || facts.maintainer !== '' || facts.attributes !== '') return facts;
      const object = objects.get(objectName(facts.prefix, facts.asn));
      return object ? { ...facts, ...factsOfObject(object.text, mine) } : facts;
    },
  };
}

/** Returns the keys of the routes that leave: others may take their places. */
async function readRemovals(reading: Reading, removals: RouteChanges['remove']): Promise<ReadonlySet<string>> {
  const leaving = new Set<string>();
  for (const [index, { routeId, keepRoa, keepObjects }] of removals.entries()) {
    await reading.breathe();
    const entry: Entry = { list: 'remove', index };
    const before = reading.byId.get(routeId);
    if (!before) reading.report(entry, '', 'This route doesn’t exist any more');
    else {
      leaving.add(keyOf(before));
      reading.take({ ...entry, action: 'remove', before, after: null, keepRoa, keepObjects }, keyOf(before), shownRoute(before));
    }
  }
  return leaving;
}

async function readChanged(reading: Reading, changes: RouteChanges['change']): Promise<void> {
  for (const [index, change] of changes.entries()) {
    await reading.breathe();
    const entry: Entry = { list: 'change', index };
    const before = reading.byId.get(change.routeId);
    if (!before) {
      reading.report(entry, '', 'This route doesn’t exist any more');
      continue;
    }
    const after = readFacts(reading, entry, changed(before, change, reading.objectOf(before)?.text ?? null, reading.mine));
    if (!after || !reading.check(entry, after)) continue;
    if (change.objects === undefined && isSame(before, after)) reading.unchanged++;
    else
      reading.take({ ...entry, action: 'change', before, after, rewrites: change.objects === 'ours' }, keyOf(before), shownRoute(before));
  }
}

async function readAdopted(reading: Reading, adopted: RouteChanges['adopt']): Promise<void> {
  for (const [index, given] of adopted.entries()) {
    await reading.breathe();
    const entry: Entry = { list: 'adopt', index };
    const facts = readFacts(reading, entry, { ...blank, ...given });
    if (!facts) continue;
    const [roa, object] = [reading.roas.get(keyOf(facts)), reading.objectOf(facts)];
    if (reading.byKey.has(keyOf(facts))) reading.report(entry, shownRoute(facts), 'There is a route for it already');
    else if (!roa && !object) reading.report(entry, shownRoute(facts), 'There is neither a ROA nor a route object for it');
    else {
      const after = reading.withObject({
        ...facts,
        maxLength: roa?.maxLength ?? facts.maxLength,
        roa: roa !== undefined,
        whois: object !== undefined,
        comment: roa?.comment ?? '',
      });
      if (reading.check(entry, after)) reading.take({ ...entry, action: 'adopt', before: null, after }, keyOf(facts), shownRoute(facts));
    }
  }
}

async function readAdded(reading: Reading, added: RouteChanges['add'], leaving: ReadonlySet<string>): Promise<void> {
  for (const [index, given] of added.entries()) {
    await reading.breathe();
    const entry: Entry = { list: 'add', index };
    const facts = readFacts(reading, entry, given);
    if (!facts) continue;
    if (reading.byKey.has(keyOf(facts)) && !leaving.has(keyOf(facts)))
      reading.report(entry, shownRoute(facts), 'There is a route for it already. Change that one', 'prefix');
    else if (reading.check(entry, facts))
      reading.take({ ...entry, action: 'add', before: null, after: reading.withObject(facts) }, keyOf(facts), shownRoute(facts));
  }
}

/** The lines of a text: each changes its route, or adds one. */
async function readImported(reading: Reading, imported: ReadImport): Promise<void> {
  reading.problems.push(...imported.problems);
  for (const { line, given } of imported.lines) {
    await reading.breathe();
    const entry: Entry = { list: 'text', index: line };
    const before = findBefore(reading, given.prefix, given.asn);
    const facts = readFacts(reading, entry, before ? { ...before, ...given } : { ...blank, ...given });
    if (!facts || !reading.check(entry, facts)) continue;
    const [key, name] = [keyOf(facts), shownRoute(facts)];
    if (before && isSame(before, facts)) {
      reading.isFirstOf(entry, key, name);
      reading.unchanged++;
    } else {
      const after = before ? facts : reading.withObject(facts);
      reading.take({ ...entry, action: before ? 'change' : 'add', before, after }, key, name);
    }
  }
}

function findBefore({ byKey }: Reading, prefix: string, asn: string): KeptRoute | null {
  try {
    return byKey.get(keyOf({ prefix: printPrefix(parsePrefix(prefix)), asn: parseAsNumber(asn) })) ?? null;
  } catch {
    return null;
  }
}

/** Returns an entry as a route; null if a value can't be read, which is reported. */
function readFacts({ report }: Reading, entry: Entry, given: Omit<NewRoute, 'asn'> & { asn: string | number }): RouteFacts | null {
  const attempt = <Value>(field: string, parse: () => Value): Value | null => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      report(entry, shownRoute(given), error.message, field);
      return null;
    }
  };
  const prefix = attempt('prefix', () => parsePrefix(given.prefix.trim()));
  const asn = attempt('asn', () => parseAsNumber(String(given.asn).trim()));
  const subRoutes = given.subRoutes.map((text, place) => attempt(`subRoutes.${place}`, () => printPrefix(parsePrefix(text.trim()))));
  if (prefix === null || asn === null || subRoutes.includes(null)) return null;
  return {
    prefix: printPrefix(prefix),
    asn,
    maxLength: given.maxLength ?? prefix.length,
    roa: given.roa,
    whois: given.whois,
    subRoutes: [...new Set(subRoutes as string[])],
    descr: given.descr,
    maintainer: given.maintainer,
    attributes: given.attributes,
    comment: given.comment,
    owner: given.owner,
  };
}

/** A route with only its key. */
const blank = { roa: true, whois: false, subRoutes: [], descr: '', maintainer: '', attributes: '', comment: '', owner: '' };

function changed(
  before: KeptRoute,
  { routeId: _routeId, objects, ...given }: ChangedRoute,
  object: string | null,
  mine: ReadonlySet<string>,
): RouteFacts {
  const { routeId: _id, changedAt: _at, ...facts } = before;
  const now: RouteFacts = { ...facts };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) Object.assign(now, { [name]: value });
  return objects === 'theirs' && object !== null ? { ...now, ...factsOfObject(object, mine) } : now;
}

const comparable = ({ prefix, asn, maxLength, roa, whois, subRoutes, descr, maintainer, attributes, comment, owner }: RouteFacts): string =>
  JSON.stringify([prefix, asn, maxLength, roa, whois, subRoutes.toSorted(), descr, maintainer, attributes, comment, owner]);
/** True if two routes are equal. */
export const isSame = (one: RouteFacts, other: RouteFacts): boolean => comparable(one) === comparable(other);

/** Returns the problems of a route, by field, independently of other routes. */
function problemsOf(facts: RouteFacts, { held, authorityVersion }: AccountRoutes): [field: string, problem: string][] {
  const problems: [string, string][] = [];
  const prefix = parsePrefix(facts.prefix);
  const longest = addressBits(prefix.family);
  if (!containsResource(held, prefix)) problems.push(['prefix', `${facts.prefix} is not inside a delegation of this account`]);
  if (facts.maxLength < prefix.length || facts.maxLength > longest)
    problems.push(['maxLength', `The maximum length of ${facts.prefix} is ${prefix.length} to ${longest}`]);
  if (facts.roa && authorityVersion === null)
    problems.push(['roa', 'RPKI is not enabled for this account. Enable it first, or leave the ROA out']);
  if (facts.whois && facts.asn === 0) problems.push(['whois', 'AS0 says that no AS may announce the prefix, so it has no route object']);
  for (const [index, text] of facts.subRoutes.entries()) {
    const sub = parsePrefix(text);
    if (!containsRange(prefix, sub) || sub.length <= prefix.length)
      problems.push([`subRoutes.${index}`, `${text} is not a more specific prefix of ${facts.prefix}`]);
    else if (facts.roa && sub.length > facts.maxLength)
      problems.push([
        `subRoutes.${index}`,
        `${text} is longer than the maximum length ${facts.maxLength}, so its announcement would be invalid`,
      ]);
  }
  const attributes = attributesProblem(facts.attributes);
  if (attributes !== null) problems.push(['attributes', attributes]);
  return problems;
}
