import type { Attention } from '@portal/contract/home/home';
import { restraintKinds } from '@portal/contract/restraints/restraints';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import { stopsInWords, untilInWords } from './restraint-notices.ts';
import { frequent } from '../../platform/database/index.ts';
import { instantInWords, restraintAt, restraintRows } from './restraint-row.ts';

/** Restraints of the account, announced or in force, with what registry staff wrote. */
export async function restraintsAttention({ read, account, now }: AttentionSubject): Promise<Attention[]> {
  const rows = await read.rows(
    frequent(
      restraintRows(sql`r.account_name = ${account.accountName} and r.ended_at is null and (r.ends_at is null or r.ends_at > ${now.toISOString()}::timestamptz)
      order by r.account_restraint_id`),
    ),
  );
  return rows.map(row => {
    const isAnnounced = restraintAt(row, now).state === 'announced';
    return {
      attentionId: `restraint-${row.restraintId}`,
      urgency: 'urgent',
      due: isAnnounced ? row.beginsAt : row.endsAt,
      title: isAnnounced
        ? `The registry puts ${restraintKinds[row.kind]} on ${account.accountName} on ${instantInWords(row.beginsAt)}`
        : `${account.accountName} is under ${restraintKinds[row.kind]} ${untilInWords(row.endsAt)}`,
      detail: `${row.memberText} ${stopsInWords[row.kind]}`,
      action: { label: 'Write to us', link: '/contact/helpdesk/rt-tickets' },
      forWhom: 'account',
    };
  });
}
