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
import { breathing } from '../../platform/breathing.ts';
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
  const breathe = breathing();
  const problems: RouteProblem[] = [];
  const intents: Intent[] = [];
  let unchanged = 0;
  const byId = new Map(routes.kept.map(route => [route.routeId, route]));
  const byKey = new Map(routes.kept.map(route => [keyOf(route), route]));
  const objects = objectsByName(routes.objects);
  const roas = roasByKey(routes.roas);
  const mine = new Set(routes.maintainers.map(({ key }) => key));
  const taken = new Set<string>();
  const report = (list: RouteProblem['list'], index: number, route: string, problem: string, field: string | null = null) =>
    problems.push({ list, index, field, route, problem });

  const take = (intent: Intent, key: string, name: string): void => {
    if (taken.has(key)) report(intent.list, intent.index, name, 'This route is listed twice');
    else intents.push(intent);
    taken.add(key);
  };
  /** Existing route objects supply what a new route leaves out. */
  const withObject = (facts: RouteFacts): RouteFacts => {
    if (!facts.whois || facts.descr !== '' || facts.maintainer !== '' || facts.attributes !== '') return facts;
    const object = objects.get(objectName(facts.prefix, facts.asn));
    return object ? { ...facts, ...factsOfObject(object.text, mine) } : facts;
  };
  const check = (list: RouteProblem['list'], index: number, facts: RouteFacts): boolean => {
    const found = problemsOf(facts, routes);
    for (const [field, problem] of found) report(list, index, shownRoute(facts), problem, field);
    return found.length === 0;
  };

  const leaving = new Set<string>();
  for (const [index, { routeId, keepRoa, keepObjects }] of changes.remove.entries()) {
    await breathe();
    const before = byId.get(routeId);
    if (!before) report('remove', index, '', 'This route doesn’t exist any more');
    else {
      leaving.add(keyOf(before));
      take({ list: 'remove', index, action: 'remove', before, after: null, keepRoa, keepObjects }, keyOf(before), shownRoute(before));
    }
  }
  for (const [index, change] of changes.change.entries()) {
    await breathe();
    const before = byId.get(change.routeId);
    if (!before) {
      report('change', index, '', 'This route doesn’t exist any more');
      continue;
    }
    const after = readFacts(
      'change',
      index,
      changed(before, change, objects.get(objectName(before.prefix, before.asn))?.text ?? null, mine),
    );
    if (!after || !check('change', index, after)) continue;
    if (change.objects === undefined && isSame(before, after)) unchanged++;
    else
      take(
        { list: 'change', index, action: 'change', before, after, rewrites: change.objects === 'ours' },
        keyOf(before),
        shownRoute(before),
      );
  }
  for (const [index, given] of changes.adopt.entries()) {
    await breathe();
    const facts = readFacts('adopt', index, { ...blank, ...given });
    if (!facts) continue;
    const [roa, object] = [roas.get(keyOf(facts)), objects.get(objectName(facts.prefix, facts.asn))];
    if (byKey.has(keyOf(facts))) report('adopt', index, shownRoute(facts), 'There is a route for it already');
    else if (!roa && !object) report('adopt', index, shownRoute(facts), 'There is neither a ROA nor a route object for it');
    else {
      const after = withObject({
        ...facts,
        maxLength: roa?.maxLength ?? facts.maxLength,
        roa: roa !== undefined,
        whois: object !== undefined,
        comment: roa?.comment ?? '',
      });
      if (check('adopt', index, after))
        take({ list: 'adopt', index, action: 'adopt', before: null, after }, keyOf(facts), shownRoute(facts));
    }
  }
  for (const [index, given] of changes.add.entries()) {
    await breathe();
    const facts = readFacts('add', index, given);
    if (!facts) continue;
    if (byKey.has(keyOf(facts)) && !leaving.has(keyOf(facts)))
      report('add', index, shownRoute(facts), 'There is a route for it already. Change that one', 'prefix');
    else if (check('add', index, facts))
      take({ list: 'add', index, action: 'add', before: null, after: withObject(facts) }, keyOf(facts), shownRoute(facts));
  }
  problems.push(...imported.problems);
  for (const { line, given } of imported.lines) {
    await breathe();
    const before = findBefore(given.prefix, given.asn);
    const facts = readFacts('text', line, before ? { ...before, ...given } : { ...blank, ...given });
    if (!facts || !check('text', line, facts)) continue;
    if (before && isSame(before, facts)) {
      if (taken.has(keyOf(facts))) report('text', line, shownRoute(facts), 'This route is listed twice');
      taken.add(keyOf(facts));
      unchanged++;
    } else
      take(
        { list: 'text', index: line, action: before ? 'change' : 'add', before, after: before ? facts : withObject(facts) },
        keyOf(facts),
        shownRoute(facts),
      );
  }
  if (intents.length > maxRoutesAtOnce)
    report('text', 1, '', `One change can have ${formatCount(maxRoutesAtOnce)} routes. Send the rest separately`);
  return { intents: intents.slice(0, maxRoutesAtOnce), problems, unchanged };

  function findBefore(prefix: string, asn: string): KeptRoute | null {
    try {
      return byKey.get(keyOf({ prefix: printPrefix(parsePrefix(prefix)), asn: parseAsNumber(asn) })) ?? null;
    } catch {
      return null;
    }
  }

  function readFacts(
    list: RouteProblem['list'],
    index: number,
    given: Omit<NewRoute, 'asn'> & { asn: string | number },
  ): RouteFacts | null {
    const attempt = <Value>(field: string, parse: () => Value): Value | null => {
      try {
        return parse();
      } catch (error) {
        if (!(error instanceof ResourceSyntaxError)) throw error;
        report(list, index, shownRoute(given), error.message, field);
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
