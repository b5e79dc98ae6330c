import { asNumber, asText, type Planning, type Section, type SectionPlan, type Step } from './section.ts';

const ascending = (providers: readonly string[]): string[] => [...new Set(providers.map(asNumber))].sort((a, b) => a - b).map(asText);

/** Upstream providers of the account's AS numbers. */
export const aspasSection: Section = {
  name: 'aspas',
  title: 'ASPAs',
  present: async registry =>
    (await registry.call('rpki.aspas.listAspas')).rows.map(({ customer, providers, comment }) => ({
      customer: asText(customer),
      providers: providers.map(asText),
      ...(comment !== '' && { comment }),
    })),
  plan: planAspas,
};

async function planAspas({ registry, declared, prune, checked }: Planning): Promise<SectionPlan> {
  const wanted = declared.content.aspas!;
  const { rows } = await registry.call('rpki.aspas.listAspas');
  const steps: Step[] = [];
  const findings: { line: number; column: number; message: string }[] = [];
  let invalidates = 0;
  const sends: ((dryRun: boolean) => Promise<unknown>)[] = [];
  for (const [index, { customer, providers, comment }] of wanted.entries()) {
    const present = rows.find(row => row.customer === asNumber(customer));
    const after = ascending(providers);
    const before = (present?.providers ?? []).map(asText);
    const isSame = present !== undefined && before.join() === after.join() && (comment === undefined || comment === present.comment);
    if (isSame) continue;
    const added = after.filter(each => !before.includes(each)).map(each => `+ ${each}`);
    const removed = before.filter(each => !after.includes(each)).map(each => `- ${each}`);
    steps.push({ action: present ? 'change' : 'create', what: customer, detail: [...added, ...removed] });
    const check = await checked(() => registry.call('rpki.aspas.checkAspa', { body: { customer, providers: after } }));
    if (check === null) continue;
    const { problems, version, seen } = check;
    invalidates += seen.toConfirm;
    for (const { field, problem } of problems) {
      const [part = '', at] = field.split('.');
      const name = at === undefined ? undefined : providers.indexOf(after[Number(at)]!);
      findings.push({ ...declared.at(['aspas', index, part, ...(name === undefined || name < 0 ? [] : [name])]), message: problem });
    }
    const body = { customer, providers: after, comment: comment ?? present?.comment ?? '', version, invalidating: seen.toConfirm };
    sends.push(dryRun => registry.call('rpki.aspas.saveAspa', { body }, { dryRun }));
  }
  for (const { aspaId, customer, version } of rows.filter(row => !wanted.some(each => asNumber(each.customer) === row.customer))) {
    steps.push({ action: 'delete', what: asText(customer), detail: [] });
    if (prune) sends.push(dryRun => registry.call('rpki.aspas.removeAspa', { params: { aspaId }, body: { version } }, { dryRun }));
  }
  return {
    steps,
    findings,
    warnings: [],
    invalidates,
    ...(sends.length > 0 && {
      send: async ({ dryRun }) => {
        for (const send of sends) await send(dryRun);
      },
    }),
  };
}
