import type { CallInput, Registry } from '@portal/client';
import type { ApplyFile } from '@portal/contract/apply-file';
import { CommandFailure } from './failure.ts';
import { allOf, type Planning, type Section, type SectionPlan, type Step } from './section.ts';

type Wanted = NonNullable<ApplyFile['reverseZones']>[number];
type Submission = CallInput<'reverseDns.submitZones'>['body'];

/** The field of the file for each of a request. */
const fieldOf: Readonly<Record<string, string>> = { keys: 'ds', mntBy: 'maintainer', zones: 'zone', descr: 'description' };
/** Milliseconds between two looks at a check, and how many there are: five minutes. */
const LOOK_MS = 2_000;
const LOOKS = 150;

const delegatedZones = (registry: Registry) => allOf(registry.each('reverseDns.listZones', { query: { delegated: 'true', limit: 500 } }));
const spaced = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/\.(?=\s|$)/, '');
const sorted = (list: readonly string[]): string => list.map(spaced).toSorted().join('\n');

/** Delegated reverse zones. */
export const zonesSection: Section = {
  name: 'reverseZones',
  title: 'Reverse zones',
  present: async registry =>
    (await delegatedZones(registry)).map(({ zone, servers, ds }) => ({ zone, servers, ...(ds.length > 0 && { ds }) })),
  plan: planZones,
};

async function planZones({ registry, declared, prune, checked }: Planning): Promise<SectionPlan> {
  const wanted = declared.content.reverseZones!;
  const present = await delegatedZones(registry);
  const steps: Step[] = [];
  const findings: { line: number; column: number; message: string }[] = [];
  const requests: { body: Submission; zone: string }[] = [];
  const checks: { zone: string; servers: string[]; ds: string[] }[] = [];
  for (const [index, one] of wanted.entries()) {
    const row = present.find(({ zone }) => zone === one.zone.toLowerCase());
    // DS records that the file does not mention stay.
    const isSame = row !== undefined && sorted(row.servers) === sorted(one.servers) && sorted(row.ds) === sorted(one.ds ?? row.ds);
    // The list has neither contacts nor description: a zone that declares none of them needs no further look.
    if (isSame && [one.description, one.adminC, one.techC, one.zoneC].every(each => each === undefined)) continue;
    const body = requestOf(one);
    const preview = await checked(() => registry.call('reverseDns.previewZones', { body }));
    // Without the registry’s word only servers and keys are compared, which the list has.
    if (preview === null && isSame) continue;
    for (const { field, index: at, message } of preview?.problems ?? [])
      findings.push({
        ...declared.at(['reverseZones', index, fieldOf[field] ?? field, ...(at === null || field === 'keys' ? [] : [at])]),
        message,
      });
    const [planned] = preview?.zones ?? [];
    for (const { severity, message } of planned?.outcome.problems ?? [])
      if (severity === 'error') findings.push({ ...declared.at(['reverseZones', index, 'zone']), message });
    if (planned?.outcome.state === 'unchanged') continue;
    steps.push({
      action: row ? 'change' : 'create',
      what: one.zone,
      detail: row
        ? [
            ...differing(row.servers, one.servers),
            ...differing(row.ds, planned?.ds ?? one.ds ?? row.ds).map(each => each.replace(' ', ' DS ')),
          ]
        : one.servers.map(each => `+ ${each}`),
    });
    requests.push({ body, zone: one.zone });
    if (preview && preview.checkMinutes !== null) checks.push({ zone: one.zone, servers: one.servers, ds: planned?.ds ?? one.ds ?? [] });
  }
  for (const { zone } of present.filter(row => !wanted.some(one => one.zone.toLowerCase() === row.zone))) {
    steps.push({ action: 'delete', what: zone, detail: [] });
    if (prune) requests.push({ body: { zones: [zone], operation: 'remove', reason: 'not in the applied file' }, zone });
  }
  return {
    steps,
    findings,
    warnings: [],
    invalidates: 0,
    ...(requests.length > 0 && {
      send: async ({ dryRun, say }) => {
        if (dryRun) for (const check of checks) await checkZone(registry, check, say);
        for (const { body, zone } of requests) {
          const { zones } = await registry.call('reverseDns.submitZones', { body }, { dryRun });
          const failed = zones.flatMap(({ outcome }) => (outcome.state === 'failed' ? outcome.problems : []));
          if (failed.length > 0)
            throw new CommandFailure(
              `${zone} was refused.`,
              failed.map(({ message }) => message),
            );
        }
      },
    }),
  };
}

/** Lines of a list that go and come, with - and + before them. */
const differing = (before: readonly string[], after: readonly string[]): string[] => {
  const lacks = (list: readonly string[], one: string): boolean => !list.some(other => spaced(other) === spaced(one));
  return [
    ...before.filter(each => lacks(after, each)).map(each => `- ${each}`),
    ...after.filter(each => lacks(before, each)).map(each => `+ ${each}`),
  ];
};

const requestOf = (one: Wanted): Submission => ({
  zones: [one.zone],
  servers: one.servers,
  ...(one.ds && { keys: one.ds.join('\n') }),
  descr: one.description ?? '',
  adminC: one.adminC ?? '',
  techC: one.techC ?? '',
  zoneC: one.zoneC ?? '',
  mntBy: one.maintainer ?? '',
});

/** Has the registry ask the name servers of a zone, which it wants to have done shortly before it delegates. @throws CommandFailure */
async function checkZone(
  registry: Registry,
  { zone, servers, ds }: { zone: string; servers: string[]; ds: string[] },
  say: (line: string) => void,
): Promise<void> {
  say(`Checking the name servers of ${zone}`);
  const { checkId } = await registry.call('reverseDns.zoneChecks.startZoneCheck', { body: { zone, servers, ds } });
  for (let look = 0; look < LOOKS; look++) {
    const { state } = await registry.call('reverseDns.zoneChecks.getZoneCheck', { params: { checkId } });
    if (state === 'done') return;
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
  throw new CommandFailure(`The check of ${zone} takes too long. Try again later.`);
}
