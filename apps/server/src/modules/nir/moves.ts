import type { AnswerOf } from '@portal/contract';
import { moveReasons, type nirDelegations } from '@portal/contract/nir/delegations';
import { sql } from 'kysely';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { keptIf } from '../../platform/rehearsal.ts';
import { changeAssignment } from '../customers/index.ts';
import { readAssignment } from '../resources/index.ts';
import { refuseBeyondLimitAfterMove } from './delegation-limits.ts';
import { delegationRows } from './delegation-list.ts';
import { closeSubaccount, lockSubaccount, openSubaccount } from './subaccounts.ts';

/** Reasons of moves without an address limit: purchases and mergers. */
const unlimited: ReadonlySet<string> = new Set(['merger', 'market']);

/**
 * Moves delegations of one sub-account to another: rows, registrations and whois objects, in one change, or rehearsed. @throws Failure NOT_FOUND,
 * SUBACCOUNT_CLOSED, INVALID_REQUEST for a delegation of another sub-account, and those of whois
 */
export async function moveNirDelegations({
  change,
  account,
  body: { from, to, delegationIds, reason, note, closeSource, dryRun },
  registry,
}: Act<typeof nirDelegations.moveNirDelegations>): Promise<AnswerOf<typeof nirDelegations.moveNirDelegations>> {
  const { accountName } = account;
  if (from === to) throw refuseField('to', 'Choose another sub-account');
  // In the order of their ids, so that two moves between one pair don't deadlock.
  for (const id of [from, to].toSorted((a, b) => Number(a) - Number(b))) await lockSubaccount(change, accountName, id);
  const source = await lockSubaccount(change, accountName, from);
  const target = await openSubaccount(change, accountName, to);
  const rows = await delegationRows(change, accountName, delegationIds);
  const foreign = rows.find(({ subaccountId }) => subaccountId !== from);
  if (foreign) throw refuse('INVALID_REQUEST', { detail: `${foreign.resource} belongs to ${foreign.subaccount} now. Load the page again` });
  const moved: AnswerOf<typeof nirDelegations.moveNirDelegations>['rows'] = [];
  let closed = false;
  const attempt = async (): Promise<boolean> => {
    await change.rows(sql`update nir_delegation set subaccount_id = ${to}::bigint
      where nir_delegation_id = any(${rows.map(({ delegationId }) => delegationId)}::bigint[])`);
    if (!unlimited.has(reason) && source.entityId !== target.entityId) await refuseBeyondLimitAfterMove(change, to, registry.profile);
    for (const { delegationId, resource, assignmentId } of rows) {
      if (assignmentId === null) {
        moved.push({ delegationId, resource, before: null, after: null });
        continue;
      }
      const before = await readAssignment(change, accountName, assignmentId);
      // Individual text stays; the organisation's name follows the organisation.
      const description = before.description === source.entity || before.description === null ? target.entity : before.description;
      await changeAssignment({
        change,
        account,
        params: { assignmentId },
        body: {
          netname: before.netname,
          visibility: before.visibility,
          customer: target.name,
          description,
          economy: before.economy ?? '',
          adminC: undefined,
          techC: undefined,
          maintainer: undefined,
          irt: undefined,
        },
        registry,
      });
      const isSame = description === before.description;
      moved.push({ delegationId, resource, before: isSame ? null : before.description, after: isSame ? null : description });
    }
    if (closeSource) {
      await closeSubaccount({ change, account, params: { subaccountId: from }, registry });
      closed = true;
    }
    return !dryRun;
  };
  const stored = await keptIf(change, attempt);
  await change.note({
    from: source.name,
    to: target.name,
    resources: rows.slice(0, 50).map(({ resource }) => resource),
    count: rows.length,
    reason: moveReasons[reason],
    ...(note !== '' && { note }),
    stored,
    closed: stored && closed,
  });
  return { stored, closed: stored && closed, rows: moved };
}
