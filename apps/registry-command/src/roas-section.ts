import type { CallAnswer, Registry } from '@portal/client';
import { allOf, asNumber, asText, noPlan, type Planning, type Section, type SectionPlan, type Step, samePrefix } from './section.ts';

type Roa = CallAnswer<'rpki.listRoas'>['rows'][number];
const lengthOf = (prefix: string): number => Number(prefix.split('/')[1]);
const wordsOf = ({ prefix, maxLength, asn }: Pick<Roa, 'prefix' | 'maxLength' | 'asn'>): string =>
  `${prefix}${maxLength === lengthOf(prefix) ? '' : `-${maxLength}`} ${asText(asn)}`;

/** ROAs that no route of the account wants, and that no route of the file declares. */
async function looseRoas(
  registry: Registry,
  declared: readonly { prefix: string; origin: string; roa?: boolean | undefined }[],
): Promise<Roa[]> {
  const roas = await allOf(registry.each('rpki.listRoas', { query: { limit: 1_000 } }));
  const routes = await allOf(registry.each('routes.listRoutes', { query: { show: 'managed', limit: 500 } }));
  return roas.filter(
    roa =>
      !routes.some(route => route.roa && route.asn === roa.asn && samePrefix(route.prefix, roa.prefix)) &&
      !declared.some(route => route.roa !== false && asNumber(route.origin) === roa.asn && samePrefix(route.prefix, roa.prefix)),
  );
}

/** ROAs without a route. */
export const roasSection: Section = {
  name: 'roas',
  title: 'ROAs',
  present: async registry =>
    (await looseRoas(registry, [])).map(roa => ({
      prefix: roa.prefix,
      origin: asText(roa.asn),
      ...(roa.maxLength !== lengthOf(roa.prefix) && { maxLength: roa.maxLength }),
      ...(roa.comment !== '' && { comment: roa.comment }),
    })),
  plan: planRoas,
};

async function planRoas({ registry, declared, prune, checked }: Planning): Promise<SectionPlan> {
  const wanted = declared.content.roas!;
  const present = await looseRoas(registry, declared.content.routes ?? []);
  const isSame = (one: (typeof wanted)[number], roa: Roa): boolean =>
    samePrefix(one.prefix, roa.prefix) && asNumber(one.origin) === roa.asn && (one.maxLength ?? lengthOf(one.prefix)) === roa.maxLength;
  const added = wanted.flatMap((one, index) => (present.some(roa => isSame(one, roa)) ? [] : [{ one, index }]));
  const extra = present.filter(roa => !wanted.some(one => isSame(one, roa)));
  const steps: Step[] = [
    ...added.map(
      ({ one }): Step => ({
        action: 'create',
        what: wordsOf({ prefix: one.prefix, asn: asNumber(one.origin), maxLength: one.maxLength ?? lengthOf(one.prefix) }),
        detail: [],
      }),
    ),
    ...extra.map((roa): Step => ({ action: 'delete', what: wordsOf(roa), detail: [] })),
  ];
  const add = added.map(({ one: { prefix, origin, maxLength, comment } }) => ({
    prefix,
    asn: origin,
    maxLength: maxLength ?? null,
    comment: comment ?? '',
  }));
  const remove = prune ? extra.map(({ roaId }) => roaId) : [];
  if (add.length + remove.length === 0) return { ...noPlan, steps };
  const check = await checked(() => registry.call('rpki.checkRoas', { body: { add, remove } }));
  if (check === null) return { ...noPlan, steps };
  return {
    steps,
    findings: check.problems.map(({ list, index, field, problem }) => ({
      ...declared.at(list === 'add' ? ['roas', added[index]!.index, ...(field === null ? [] : [field])] : ['roas']),
      message: problem,
    })),
    warnings: check.additions.flatMap(({ warning }) => warning ?? []),
    invalidates: check.toConfirm,
    send: async ({ dryRun }) => {
      // Routes of the same file count the version up.
      const { version } = dryRun ? check : await registry.call('rpki.getStatus');
      await registry.call(
        'rpki.changeRoas',
        { body: { add, remove, version, removing: remove.length, invalidating: check.toConfirm } },
        { dryRun },
      );
    },
  };
}
