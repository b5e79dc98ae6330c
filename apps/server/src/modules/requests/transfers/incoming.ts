import type { RequestForm } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { coverRange, type NumberResource, printResource } from '@portal/number-resources';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { RequestPolicy } from '../../../profile.ts';
import { accountNamed } from '../../accounts/index.ts';
import { delegate, findDelegationsMeeting, findPools, lockLedger } from '../../resources/index.ts';
import { blocksOf, readable, readResources } from '../open-request.ts';
import { notifyParties } from '../request-notices.ts';
import { type Outcome, type Row, recordEvent, referenceOf, updateRequest } from '../request-row.ts';
import type { AccountFacts } from '../rules/account.ts';
import { checkNeed } from '../rules/need.ts';

/** Checks a transfer from another registry: its size and kind, that no one holds it here, and the need for it or a pre-approval. */
export async function checkIncoming(
  read: Pick<Read, 'rows'>,
  form: RequestForm,
  facts: AccountFacts,
  policy: RequestPolicy,
): Promise<RequestCheck[]> {
  const standing = checkNeed(null, facts, 0, policy);
  const resources = form.resources.map(readable).filter(resource => resource !== null);
  if (resources.length === 0) return standing;
  const named = (found: readonly NumberResource[]): string => found.map(printResource).join(', ');
  const isSmall = (resource: NumberResource): boolean =>
    resource.family === 'ipv4' && coverRange(resource).some(({ length }) => length > policy.ipv4Smallest);
  const small = resources.filter(isSmall);
  const ipv6 = resources.filter(({ family }) => family === 'ipv6');
  const here = await findDelegationsMeeting(read, resources);
  for (const each of resources)
    here.push(...(await findPools(read, each, 20)).filter(({ registry }) => registry === '').map(({ resource }) => resource));
  const need = checkNeed(form, facts, blocksOf(form.resources), policy).find(({ checkId }) => checkId === 'need')!;
  return [
    ...standing,
    {
      checkId: 'smallest',
      fact: 'Smallest block',
      known: small.length === 0 ? 'Every block is large enough' : `Too small: ${named(small)}`,
      source: 'Your answer',
      state: small.length === 0 ? 'met' : 'unmet',
      policy: `At least a /${policy.ipv4Smallest}`,
    },
    {
      checkId: 'no-ipv6',
      fact: 'IPv4 and AS numbers',
      known: ipv6.length === 0 ? 'No IPv6' : named(ipv6),
      source: 'Your answer',
      state: ipv6.length === 0 ? 'met' : 'unmet',
      policy: 'IPv6 moves with mergers and acquisitions only',
    },
    {
      checkId: 'elsewhere',
      fact: 'Not held in this registry',
      known: here.length === 0 ? 'No one holds it here' : `In this registry’s ledger: ${here.join(', ')}`,
      source: 'Ledger',
      state: here.length === 0 ? 'met' : 'unmet',
      policy: 'It’s held at the other registry until the transfer completes',
    },
    ...(blocksOf(form.resources) === 0
      ? []
      : [form.usePreApproval ? { ...need, state: 'met' as const, known: 'Covered by its pre-approval', source: 'Pre-approvals' } : need]),
  ];
}

/** Delegates what another registry hands over to the account. @throws Failure DELEGATION_OVERLAPS where it is delegated here meanwhile */
export async function receive(change: Change, row: Row, decided: Partial<Parameters<typeof updateRequest>[2]>): Promise<void> {
  const { resources, texts } = readResources(row.form.resources);
  const { economy } = await accountNamed(change, row.accountName);
  await lockLedger(change);
  for (const resource of resources)
    await delegate(change, { resource, accountName: row.accountName, type: 'allocated', source: 'transferred', economy });
  const outcome: Outcome = { resources: texts, from: row.otherRegistry ?? '', to: row.accountName };
  await updateRequest(change, row, { ...decided, state: 'completed', resolvedAt: change.now, outcome });
  await recordEvent(change, row.id, 'completed', { byStaff: true, words: texts.join(', ') });
  await change.note({ request: referenceOf(row.id), resources: texts, from: outcome.from, to: outcome.to });
  await notifyParties(change, row, {
    subject: `completed: ${texts.join(', ')}`,
    body: [
      `${texts.join(', ')} moved from ${outcome.from} to ${row.accountName}.`,
      'Whois and RDAP follow within seconds. Add ROAs and reverse DNS now: those of the other registry end with its record.',
    ],
  });
}
