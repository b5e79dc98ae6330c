import { maxObjectsAtOnce, type PlannedRoute, type RouteCheck, type RouteFacts, type RouteProblem } from '@portal/contract/routes/routes';
import { missingConsent } from '@portal/contract/whois/consents';
import { formatCount, printAsNumber } from '@portal/number-resources';
import { breathing } from '../../platform/breathing.ts';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { checkRoaChanges, effectOfRoas } from '../rpki/index.ts';
import { errorsOf, rightsOf, type Submission, submitForAccount, type WhoisOutcome, type WhoisUpdate } from '../whois/index.ts';
import { type AccountRoutes, objectName, objectsByName, roasByKey } from './account-routes.ts';
import type { Intent, ReadIntents } from './intents.ts';
import { haveSameAttributes, objectText } from './object-text.ts';
import { keyOf } from './route-rows.ts';
import { requireOpen } from '../accounts/index.ts';

/** Options of a change of routes. */
export type Writing = { profile: Profile; limits: Submission['limits'] };

/** One whois update with its route. */
type PlannedUpdate = { intent: Intent; name: string; shown: string; done: 'create' | 'modify' | 'delete'; update: WhoisUpdate };
type NewRoaOf = { prefix: string; asn: string; maxLength: number; comment: string };

/** A checked change: everything it would write, its problems, and its effect on announcements. Nothing is written yet. */
export type RoutePlan = {
  check: RouteCheck;
  intents: Intent[];
  roas: { add: NewRoaOf[]; remove: string[]; added: Map<Intent, 'add' | 'replace' | 'remove' | 'keep'> };
  /** Updates that can be written now. */
  updates: PlannedUpdate[];
  /** Updates that wait for consent, grouped by maintainers. */
  waiting: { maintainers: readonly string[]; updates: PlannedUpdate[] }[];
  /** Requests for consent to objects that are no longer wanted. */
  withdrawn: number[];
  credentials: Submission['credentials'];
};

/** Routes of a plan that are answered, and problems. */
const maxPlanned = 500;

/**
 * Plans what a change writes: missing or different ROAs and route objects, by rehearsing the same steps.
 * @throws Failure ACCOUNT_SUSPENDED, ACCOUNT_RESTRICTED_IRT, TOO_MANY_OBJECTS
 */
export async function planRoutes(
  change: Change,
  account: AdmittedAccount,
  routes: AccountRoutes,
  { intents, problems: given, unchanged }: ReadIntents,
  { profile, limits }: Pick<Writing, 'profile' | 'limits'>,
): Promise<RoutePlan> {
  const { accountName, accountStatus } = account;
  requireOpen({ accountName, accountStatus });
  const problems = [...given];
  const report = (intent: Intent, field: string | null, problem: string): void => {
    const { prefix, asn } = (intent.after ?? intent.before)!;
    problems.push({ list: intent.list, index: intent.index, field, route: `${prefix} ${printAsNumber(asn)}`, problem });
  };

  // ROAs.
  const { roas, addedFor } = await planRoas(intents, routes);
  const warnings = new Map<Intent, string[]>();
  if (roas.add.length + roas.remove.length > 0) {
    const checked = await checkRoaChanges(change, accountName, roas);
    for (const { list, index, field, problem } of checked.problems) if (list === 'add') report(addedFor[index]!, field, problem);
    for (const { index, warning } of checked.additions) if (warning !== null) warnings.set(addedFor[index]!, [`${warning}.`]);
  }

  // Route objects.
  const { updates, withdrawn, kept } = await plannedUpdates(intents, routes, profile.source);
  const credentials = await rightsOf(change, accountName, account.contactId);
  if (updates.length > maxObjectsAtOnce)
    report(
      updates[maxObjectsAtOnce]!.intent,
      'whois',
      `One change can write ${maxObjectsAtOnce} route objects, and this one has ${updates.length}. Send the rest separately`,
    );
  const writable: PlannedUpdate[] = [];
  const waiting: RoutePlan['waiting'] = [];
  if (updates.length > 0 && updates.length <= maxObjectsAtOnce) {
    if (credentials.maintainers.size === 0)
      report(updates[0]!.intent, 'whois', 'You can’t write route objects with your maintainers. A corporate contact can let you use one');
    else {
      const outcomes = await submitForAccount(
        change,
        account,
        updates.map(({ update }) => update),
        { credentials, mode: 'best-effort', dryRun: true, profile, limits },
      );
      for (const [index, planned] of updates.entries()) sort(planned, outcomes[index]!);
    }
  }
  function sort(planned: PlannedUpdate, outcome: WhoisOutcome): void {
    if (outcome.state !== 'failed') {
      writable.push(planned);
      return;
    }
    const names = planned.done === 'create' ? missingConsent([outcome]) : null;
    if (names === null || names.some(name => name.toLowerCase() === profile.hostmasterMaintainer.toLowerCase())) {
      report(planned.intent, 'whois', `Whois refuses ${planned.shown}: ${errorsOf(outcome)}`);
      return;
    }
    const party = names.toSorted().join(' ');
    const group = waiting.find(each => each.maintainers.toSorted().join(' ') === party);
    if (group) group.updates.push(planned);
    else waiting.push({ maintainers: names, updates: [planned] });
  }

  const effect = await effectOfRoas(
    change,
    accountName,
    { removals: roas.remove.map(roaId => ({ roaId })), additions: roas.add.map(roa => ({ ...roa, asn: Number(roa.asn) })) },
    routes.space,
  );
  const planned = plannedRoutes({ intents, updates, waiting, kept, roas, warnings });
  const count = (action: Intent['action']): number => intents.filter(each => each.action === action).length;
  return {
    check: {
      version: routes.version,
      problems: firstOf(inOrder(problems)),
      planned,
      counts: {
        routes: intents.length,
        added: count('add') + count('adopt'),
        changed: count('change'),
        removed: count('remove'),
        unchanged,
        roasAdded: roas.add.length,
        roasRemoved: roas.remove.length,
        objectsWritten: writable.length,
        objectsWaiting: updates.length - writable.length,
      },
      effect,
    },
    intents,
    roas,
    updates: writable,
    waiting,
    withdrawn,
    credentials,
  };
}

/** Returns the first of the routes with what is written for each. */
function plannedRoutes({
  intents,
  updates,
  waiting,
  kept,
  roas,
  warnings,
}: {
  intents: readonly Intent[];
  updates: readonly PlannedUpdate[];
  waiting: RoutePlan['waiting'];
  kept: ReadonlyMap<Intent, readonly string[]>;
  roas: RoutePlan['roas'];
  warnings: ReadonlyMap<Intent, string[]>;
}): PlannedRoute[] {
  const waitsFor = new Map<PlannedUpdate, readonly string[]>(
    waiting.flatMap(group => group.updates.map(update => [update, group.maintainers] as const)),
  );
  const byIntent = Map.groupBy(updates, ({ intent }) => intent);
  return intents.slice(0, maxPlanned).map((intent): PlannedRoute => {
    const { prefix, asn, maxLength } = (intent.after ?? intent.before) as RouteFacts;
    const own = byIntent.get(intent) ?? [];
    return {
      action: intent.action,
      prefix,
      asn,
      maxLength,
      roa: roas.added.get(intent) ?? null,
      objects: [
        ...own.map(update => ({ shown: update.shown, done: waitsFor.has(update) ? ('wait' as const) : update.done })),
        ...(kept.get(intent) ?? []).map(shown => ({ shown, done: 'keep' as const })),
      ],
      waitsFor: [...new Set(own.flatMap(update => waitsFor.get(update) ?? []))],
      warnings: warnings.get(intent) ?? [],
    };
  });
}

/** Plans ROAs that are missing, different or no longer wanted. `addedFor`: the intent of each addition. */
async function planRoas(intents: readonly Intent[], routes: AccountRoutes) {
  const existing = await roasByKey(routes.roas);
  const roas: RoutePlan['roas'] = { add: [], remove: [], added: new Map() };
  const addedFor: Intent[] = [];
  const breathe = breathing();
  for (const intent of intents) {
    await breathe();
    const { before, after } = intent;
    const roa = existing.get(keyOf((after ?? before)!));
    const wanted = after?.roa ? after : null;
    if (!wanted) {
      if (!roa || !before?.roa || intent.keepRoa) continue;
      roas.remove.push(roa.roaId);
      roas.added.set(intent, 'remove');
    } else if (roa?.maxLength === wanted.maxLength) roas.added.set(intent, 'keep');
    else {
      if (roa) roas.remove.push(roa.roaId);
      roas.add.push({ prefix: wanted.prefix, asn: String(wanted.asn), maxLength: wanted.maxLength, comment: wanted.comment });
      addedFor.push(intent);
      roas.added.set(intent, roa ? 'replace' : 'add');
    }
  }
  return { roas, addedFor };
}

const lists: readonly RouteProblem['list'][] = ['remove', 'change', 'adopt', 'add', 'text'];
const inOrder = (problems: RouteProblem[]): RouteProblem[] =>
  problems.toSorted((a, b) => lists.indexOf(a.list) - lists.indexOf(b.list) || a.index - b.index);

/** The first of many problems; the last says how many more there are. */
function firstOf(problems: RouteProblem[]): RouteProblem[] {
  if (problems.length <= maxPlanned) return problems;
  const [next] = problems.slice(maxPlanned);
  const problem = `There are ${formatCount(problems.length - maxPlanned)} more problems from here on`;
  return [...problems.slice(0, maxPlanned), { ...next!, field: null, route: '', problem }];
}

/** Route objects that differ from the routes, and requests for consent that are no longer wanted. */
async function plannedUpdates(
  intents: readonly Intent[],
  routes: AccountRoutes,
  source: string,
): Promise<{ updates: PlannedUpdate[]; withdrawn: number[]; kept: Map<Intent, string[]> }> {
  const objects = await objectsByName(routes.objects);
  const updates: PlannedUpdate[] = [];
  const kept = new Map<Intent, string[]>();
  const unwanted = new Set<string>();
  const prefixesOf = (facts: RouteFacts | null): string[] => (facts?.whois ? [facts.prefix, ...facts.subRoutes] : []);
  const breathe = breathing();
  for (const intent of intents) {
    await breathe();
    const { before, after, action } = intent;
    const { asn } = (after ?? before)!;
    const wanted = prefixesOf(after);
    for (const prefix of wanted) {
      const name = objectName(prefix, asn);
      const shown = `${prefix.includes(':') ? 'route6' : 'route'} ${prefix}${printAsNumber(asn)}`;
      const object = objects.get(name);
      const text = objectText(prefix, asn, after!, routes.usual, source);
      if (!object) {
        if (routes.consents.get(name)?.state === 'waiting') kept.set(intent, [...(kept.get(intent) ?? []), shown]);
        else updates.push({ intent, name, shown, done: 'create', update: { operation: 'create', text } });
        continue;
      }
      const saysOther = !before?.whois || (['descr', 'maintainer', 'attributes'] as const).some(field => before[field] !== after![field]);
      if (action === 'adopt' || haveSameAttributes(object.text, text) || !(saysOther || intent.rewrites)) {
        kept.set(intent, [...(kept.get(intent) ?? []), shown]);
        continue;
      }
      updates.push({ intent, name, shown, done: 'modify', update: { operation: 'modify', text, expectedVersion: object.version } });
    }
    if (intent.keepObjects) continue;
    for (const prefix of prefixesOf(before)) {
      if (wanted.includes(prefix)) continue;
      const name = objectName(prefix, asn);
      unwanted.add(name);
      const object = objects.get(name);
      if (!object) continue;
      const shown = `${object.class} ${object.shown}`;
      updates.push({
        intent,
        name,
        shown,
        done: 'delete',
        update: { operation: 'delete', text: object.text, reason: 'Its route was deleted', expectedVersion: object.version },
      });
    }
  }
  // A request is withdrawn once none of its objects is wanted.
  const withdrawn = new Set<number>();
  for (const name of unwanted) {
    const consent = routes.consents.get(name);
    if (consent?.state === 'waiting' && consent.objects.every(each => unwanted.has(each.toLowerCase()))) withdrawn.add(consent.consentId);
  }
  return { updates, withdrawn: [...withdrawn], kept };
}
