import type { LegalHold, privacy } from '@portal/contract/privacy/privacy';
import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';

const holdRows = sql`select h.legal_hold_id::text as legal_hold_id, case when h.account_name is null then 'login' else 'account' end as kind,
    coalesce(h.account_name, l.username, '') as about, coalesce(a.org_name, l.full_name, '') as name, h.reason,
    p.full_name as placed_by, h.placed_at
  from legal_hold h left join account a using (account_name) left join login l on l.login_id = h.login_id join login p on p.login_id = h.placed_by
  where h.released_at is null`;

/** Returns how many legal holds count now, without one on the reader. */
export async function countHolds(read: Pick<Read, 'rows'>, reader: string): Promise<number> {
  const [counted] = await read.rows<{ holds: number }>(
    sql`select count(*)::int as holds from legal_hold where released_at is null and login_id is distinct from ${reader}`,
  );
  return counted!.holds;
}

/** Returns the legal holds that count now, the latest first, without one on the reader: a hold can be part of an investigation. The look is logged: they name people. */
export async function listHolds({ change, caller }: Act<typeof privacy.listHolds>): Promise<{ holds: LegalHold[] }> {
  const holds = await change.rows<LegalHold>(
    sql`${holdRows} and h.login_id is distinct from ${caller.loginId} order by h.legal_hold_id desc`,
  );
  await change.note({ holds: holds.map(({ legalHoldId }) => legalHoldId).join(', ') });
  return { holds };
}

/**
 * Keeps the data of an account or a person from being deleted.
 * @throws Failure NOT_FOUND without such an account or login, NOTHING_TO_DO where it is held already
 */
export async function placeHold({ change, caller, body: { kind, about, reason } }: Act<typeof privacy.placeHold>): Promise<LegalHold> {
  // A run that is under way ends first: from the answer on the hold holds.
  await change.rows(sql`select lock_holds(false)`);
  const [row] =
    kind === 'account'
      ? await change.rows<{ accountName: string; loginId: null }>(
          sql`select account_name, null as login_id from account where account_name = ${about.toUpperCase()} for update`,
        )
      : await change.rows<{ accountName: null; loginId: string }>(
          sql`select null as account_name, login_id from login where username = ${about.toLowerCase()} for update`,
        );
  if (!row) throw refuse('NOT_FOUND', { what: kind === 'account' ? 'An account of that name' : 'A login of that user name' });
  const { accountName, loginId } = row;
  const [held] = await change.rows(
    sql`select from legal_hold where released_at is null and (account_name = ${accountName} or login_id = ${loginId})`,
  );
  if (held) throw refuse('NOTHING_TO_DO', { why: 'it is under a legal hold already' });
  const { legalHoldId } = await change
    .insertInto('legalHold')
    .values({ accountName, loginId, reason, placedBy: caller.loginId, placedAt: change.now })
    .returning('legalHoldId')
    .executeTakeFirstOrThrow();
  await change.note({ hold: about, reason });
  const [placed] = await change.rows<LegalHold>(sql`${holdRows} and h.legal_hold_id = ${legalHoldId}`);
  return placed!;
}

/**
 * Releases a legal hold; what is over is deleted with the next run. The person under it is neither of the two people who do.
 * @throws Failure NOT_FOUND without a hold of that number that counts, or for its own person
 */
export async function releaseHold({
  change,
  caller,
  params: { legalHoldId },
  body: { reason },
}: Act<typeof privacy.releaseHold>): Promise<void> {
  const [hold] = isRowId(legalHoldId)
    ? await change.rows<LegalHold>(sql`${holdRows} and h.legal_hold_id = ${legalHoldId} and h.login_id is distinct from ${caller.loginId}
          and not exists (select from activity y where y.activity_id = ${change.activityId} and (y.login_subject = h.login_id
            or exists (select from login_subject s where s.login_id = h.login_id and s.issuer = y.login_issuer and s.subject = y.login_subject)))
          for update of h`)
    : [];
  if (!hold) throw refuse('NOT_FOUND', { what: 'A legal hold of this number' });
  await change
    .updateTable('legalHold')
    .set({ releasedBy: caller.loginId, releasedAt: change.now })
    .where('legalHoldId', '=', Number(legalHoldId))
    .execute();
  await change.note({ hold: hold.about, was: hold.reason, reason });
}

/** Lets runs delete a large part of a kind of data for some days. @throws Failure NOT_FOUND where none waits */
export async function agreeToEnding({
  change,
  caller,
  params: { kind },
  body: { reason },
}: Act<typeof privacy.agreeToEnding>): Promise<void> {
  const agreed = await change
    .updateTable('endingPeriod')
    .set({ agreedBy: caller.loginId, agreedAt: change.now, waitsSince: null })
    .where('kind', '=', kind)
    .where('waitsSince', 'is not', null)
    .returning('kind')
    .executeTakeFirst();
  if (!agreed) throw refuse('NOT_FOUND', { what: 'A run that waits for this kind of data' });
  await change.note({ kind, reason });
}
