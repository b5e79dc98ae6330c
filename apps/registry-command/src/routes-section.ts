import type { CallAnswer, CallInput, Registry } from '@portal/client';
import type { ApplyFile } from '@portal/contract/apply-file';
import {
  allOf,
  asNumber,
  asText,
  differences,
  noPlan,
  type Planning,
  type Section,
  type SectionPlan,
  type Step,
  samePrefix,
} from './section.ts';

type Listed = CallAnswer<'routes.listRoutes'>['rows'][number];
type Wanted = NonNullable<ApplyFile['routes']>[number];
type Changes = NonNullable<CallInput<'routes.checkRoutes'>['body']>;

const lengthOf = (prefix: string): number => Number(prefix.split('/')[1]);

/** The parts of a route that a file can declare, as it declares them. */
const declaredOf = (route: Listed) => ({
  maxLength: route.maxLength,
  roa: route.roa,
  routeObject: route.whois,
  description: route.descr,
  maintainer: route.maintainer,
  comment: route.comment,
  owner: route.owner,
});

const managedRoutes = (registry: Registry): Promise<Listed[]> =>
  allOf(registry.each('routes.listRoutes', { query: { show: 'managed', limit: 500 } }));

/** Announcements with their ROAs and route objects. */
export const routesSection: Section = {
  name: 'routes',
  title: 'Routes',
  present: async registry =>
    (await managedRoutes(registry)).map(route => ({
      prefix: route.prefix,
      origin: asText(route.asn),
      ...(route.maxLength !== lengthOf(route.prefix) && { maxLength: route.maxLength }),
      roa: route.roa,
      routeObject: route.whois,
      ...(route.descr !== '' && { description: route.descr }),
      ...(route.maintainer !== '' && { maintainer: route.maintainer }),
      ...(route.comment !== '' && { comment: route.comment }),
      ...(route.owner !== '' && { owner: route.owner }),
    })),
  plan: planRoutes,
};

async function planRoutes({ registry, declared, prune, checked }: Planning): Promise<SectionPlan> {
  const wanted = declared.content.routes!;
  const present = await managedRoutes(registry);
  const steps: Step[] = [];
  const changes = {
    add: [] as NonNullable<Changes['add']>,
    change: [] as NonNullable<Changes['change']>,
    remove: [] as NonNullable<Changes['remove']>,
  };
  /** The place in the file of each entry that is sent. */
  const places = { add: [] as number[], change: [] as number[] };
  const found = (one: Wanted) => present.find(route => samePrefix(route.prefix, one.prefix) && route.asn === asNumber(one.origin));
  for (const [index, one] of wanted.entries()) {
    const what = `${one.prefix} ${one.origin}`;
    const route = found(one);
    // As the registry names them. What is left out of a new route is as the registry has it; of one that is there, as it is.
    const facts = {
      ...(one.description !== undefined && { descr: one.description }),
      ...(one.maintainer !== undefined && { maintainer: one.maintainer }),
      ...(one.comment !== undefined && { comment: one.comment }),
      ...(one.owner !== undefined && { owner: one.owner }),
    };
    const maxLength = one.maxLength ?? lengthOf(one.prefix);
    if (!route) {
      changes.add.push({ prefix: one.prefix, asn: one.origin, maxLength, roa: one.roa ?? true, whois: one.routeObject ?? false, ...facts });
      places.add.push(index);
      steps.push({ action: 'create', what, detail: [] });
      continue;
    }
    const { prefix: _prefix, origin: _origin, ...rest } = one;
    const detail = differences(declaredOf(route), { ...rest, maxLength, roa: one.roa ?? true, routeObject: one.routeObject ?? false });
    if (detail.length === 0) continue;
    changes.change.push({ routeId: route.routeId!, maxLength, roa: one.roa ?? true, whois: one.routeObject ?? false, ...facts });
    places.change.push(index);
    steps.push({ action: 'change', what, detail });
  }
  const extra = present.filter(route => !wanted.some(one => found(one) === route));
  for (const route of extra) steps.push({ action: 'delete', what: `${route.prefix} ${asText(route.asn)}`, detail: [] });
  if (prune) changes.remove = extra.map(({ routeId }) => ({ routeId: routeId! }));
  if (changes.add.length + changes.change.length + changes.remove.length === 0) return { ...noPlan, steps };

  const check = await checked(() => registry.call('routes.checkRoutes', { body: changes }));
  if (check === null) return { ...noPlan, steps };
  const findings = check.problems.map(({ list, index, field, problem }) => ({
    ...declared.at(list === 'add' || list === 'change' ? ['routes', places[list][index]!, ...(field === null ? [] : [field])] : ['routes']),
    message: problem,
  }));
  const { toConfirm } = check.effect;
  return {
    steps,
    findings,
    warnings: [...new Set(check.planned.flatMap(({ warnings }) => warnings))],
    invalidates: toConfirm,
    send: async ({ dryRun }) => {
      await registry.call(
        'routes.saveRoutes',
        { body: { ...changes, version: check.version, removing: changes.remove.length, invalidating: toConfirm } },
        { dryRun },
      );
    },
  };
}
