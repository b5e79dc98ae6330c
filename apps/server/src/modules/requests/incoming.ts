import type { RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { type NumberResource, printResource } from '@portal/number-resources';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { accountNamed } from '../accounts/index.ts';
import { delegate, endElsewhere, findDelegationsMeeting, findPools, gateObstacle, heldElsewhere, lockLedger } from '../resources/index.ts';
import { askObjects } from '../whois/index.ts';
import { askedOf } from './asked-names.ts';
import { blocksOf, readable, readResources } from './open-request.ts';
import { notifyParties } from './request-notices.ts';
import { type Outcome, type Row, recordEvent, referenceOf, updateRequest } from './request-row.ts';
import type { AccountFacts } from './rules/account.ts';
import { check, metIf } from './rules/check.ts';
import { checkNeed } from './rules/need.ts';
import { requestsTexts } from './mail-texts.ts';

/** Names of the regional registries in statistics files, by their names in the NRO transfer log. */
const statisticsNames: Readonly<Record<string, string>> = {
  AFRINIC: 'afrinic',
  APNIC: 'apnic',
  ARIN: 'arin',
  LACNIC: 'lacnic',
  'RIPE NCC': 'ripencc',
};

/**
 * Checks a transfer from another registry: its size and kind, that no one holds it here, that the other registry's statistics list it, that it isn't
 * special-purpose, and the need for it or a pre-approval.
 */
export async function checkIncoming(
  read: Pick<Read, 'rows'>,
  form: RequestForm,
  facts: AccountFacts,
  profile: Profile,
): Promise<RequestCheck[]> {
  const policy = profile.requestPolicy;
  const standing = checkNeed(null, facts, 0, policy, form.abuseMailbox);
  const resources = form.resources.map(readable).filter(resource => resource !== null);
  if (resources.length === 0) return standing;
  const named = (found: readonly NumberResource[]): string => found.map(printResource).join(', ');
  const obstacles = resources.flatMap(
    resource =>
      gateObstacle('received', { resource, type: 'allocated', purpose: null, whole: true, rest: [], historical: false }, profile) ?? [],
  );
  const against = (rule: string): string =>
    obstacles
      .filter(each => each.rule === rule)
      .map(each => `${each.resource} ${each.words}`)
      .join('; ');
  const ipv6 = resources.filter(({ family }) => family === 'ipv6');
  const here = await findDelegationsMeeting(read, resources);
  for (const each of resources)
    here.push(...(await findPools(read, each, 20)).filter(({ registry }) => registry === '').map(({ resource }) => resource));
  const need = checkNeed(form, facts, blocksOf(form.resources), policy).find(({ checkId }) => checkId === 'need')!;
  return [
    ...standing,
    check(
      'special',
      metIf(against('special') === ''),
      'Ordinary numbers',
      against('special') || 'None is set aside for a special purpose',
      'IANA special-purpose registries',
      'Special-purpose numbers aren’t transferred',
    ),
    check(
      'smallest',
      metIf(against('size') === ''),
      'Smallest block',
      against('size') || 'Every block is large enough',
      'Your request',
      `At least a /${policy.ipv4Smallest}`,
    ),
    check(
      'no-ipv6',
      metIf(ipv6.length === 0),
      'IPv4 and AS numbers',
      ipv6.length === 0 ? 'No IPv6' : named(ipv6),
      'Your request',
      'IPv6 moves with mergers and acquisitions only',
    ),
    check(
      'elsewhere',
      metIf(here.length === 0),
      'Not held in this registry',
      here.length === 0 ? 'No one holds it here' : `In this registry’s ledger: ${here.join(', ')}`,
      'Ledger',
      'It’s held at the other registry until the transfer completes',
    ),
    await holderThere(read, form.otherRegistry.trim(), resources),
    ...(blocksOf(form.resources) === 0
      ? []
      : [form.usePreApproval ? { ...need, state: 'met' as const, known: 'Covered by its pre-approval', source: 'Pre-approvals' } : need]),
  ];
}

/** Checks that the statistics file of the other registry lists all of the numbers. Without the file a hostmaster has to check. */
async function holderThere(read: Pick<Read, 'rows'>, registry: string, resources: readonly NumberResource[]): Promise<RequestCheck> {
  const made = (state: RequestCheck['state'], known: string): RequestCheck =>
    check(
      'held-there',
      state,
      'Held at the other registry',
      known,
      'Statistics of the other registry',
      'It’s delegated by the registry that hands it over',
    );
  const name = statisticsNames[registry];
  if (name === undefined) return made('open', 'No registry is chosen');
  let day: string | null = null;
  const missing: string[] = [];
  for (const resource of resources) {
    const { fileOf, isHeld, others } = await heldElsewhere(read, name, resource);
    if (others.length > 0) return made('unmet', `${printResource(resource)} is listed by ${others.join(', ')}, not by ${registry}`);
    day = fileOf;
    if (!isHeld) missing.push(printResource(resource));
  }
  if (day === null)
    return made('review', `No statistics file of ${registry} was imported. Look there, or import it with: registry import statistics`);
  return missing.length === 0
    ? made('met', `Listed in the file of ${registry} up to ${day}`)
    : made('unmet', `Not in the file of ${registry} up to ${day}: ${missing.join(', ')}`);
}

/** Delegates numbers transferred from another registry. @throws Failure DELEGATION_OVERLAPS if they were delegated here meanwhile */
export async function receive(
  change: Change,
  row: Row,
  decided: Partial<Parameters<typeof updateRequest>[2]>,
  profile: Profile,
): Promise<void> {
  const { resources, texts } = readResources(row.form.resources);
  const { economy } = await accountNamed(change, row.accountName);
  await lockLedger(change);
  await endElsewhere(change, resources);
  for (const resource of resources)
    await delegate(change, { resource, accountName: row.accountName, type: 'allocated', source: 'transferred', economy }, profile);
  await askObjects(change, row.accountName, resources, askedOf(row.form));
  const outcome: Outcome = { resources: texts, from: row.otherRegistry ?? '', to: row.accountName };
  await updateRequest(change, row, { ...decided, state: 'completed', resolvedAt: change.now, outcome });
  await recordEvent(change, row.id, 'completed', { byStaff: true, words: texts.join(', ') });
  await change.note({ request: referenceOf(row.id), resources: texts, from: outcome.from, to: outcome.to });
  await notifyParties(change, row, {
    text: requestsTexts.written('transferIn', { resources: texts.join(', '), sender: outcome.from!, accountName: row.accountName }),
  });
}
