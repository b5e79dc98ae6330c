import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { RestrainedCases } from '../restraints/index.ts';
import { requestsTexts } from './mail-texts.ts';
import { deskPageOf, notifyParty, partiesOf } from './request-notices.ts';
import { inWords, partyOf, recordEvent, referenceOf, requestRows, type Row } from './request-row.ts';

/** Days that a party has at least once a case goes on. */
const DAYS_AFTER = 14;

/** Open requests of an account whose time limits wait: drafts too, which can't be sent meanwhile. */
const waitingOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<Row[]> =>
  requestRows(read, sql`${partyOf(accountName)} and r.resolved_at is null and r.recovery_ground is null order by r.resource_request_id`);

/** Open cases of an account, sent already, that move numbers. Recoveries of the registry go on. */
const casesOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<Row[]> =>
  requestRows(
    read,
    sql`${partyOf(accountName)} and r.resolved_at is null and r.submitted_at is not null and r.recovery_ground is null order by r.resource_request_id`,
  );

const otherParty = (row: Row, accountName: string): string | null => partiesOf(row).find(party => party !== accountName) ?? null;

/** Notifies the other party of each case, without the reason. The party itself reads what registry staff wrote. */
async function notifyOthers(change: Change, accountName: string, as: 'transferWaits' | 'transferGoesOn'): Promise<void> {
  for (const row of await casesOf(change, accountName)) {
    const other = otherParty(row, accountName);
    if (other === null) continue;
    await recordEvent(change, row.id, 'note', {
      byStaff: true,
      internal: true,
      words: as === 'transferWaits' ? `It waits: ${accountName} is restrained` : `It goes on: ${accountName} is no longer restrained`,
    });
    await notifyParty(change, row, other, { text: requestsTexts.written(as, { numbers: inWords(row) }) });
  }
}

/** Requests and transfers that wait while an account is restrained. */
export const restrainedRequests: RestrainedCases = {
  waiting: async (read, accountName) =>
    (await casesOf(read, accountName)).map(row => ({
      reference: referenceOf(row.id),
      what: inWords(row),
      otherParty: otherParty(row, accountName),
      link: deskPageOf(row),
    })),
  notifyWaiting: (change, accountName) => notifyOthers(change, accountName, 'transferWaits'),
  goOn: async (change, accountName) => {
    const until = instantAfter(change.now, DAYS_AFTER * DAY_MS);
    for (const { id } of await waitingOf(change, accountName)) {
      await change.rows(
        sql`update resource_request set expires_at = greatest(expires_at, ${until}::timestamptz) where resource_request_id = ${id} and expires_at is not null`,
      );
      await change.rows(
        sql`update resource_request_question set answer_by = greatest(answer_by, ${until}::timestamptz) where resource_request_id = ${id} and closed_at is null`,
      );
    }
    await notifyOthers(change, accountName, 'transferGoesOn');
  },
};
