import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import { preparedQuery } from '../../platform/database/index.ts';
import { questionTo } from './questions.ts';
import { pageOf } from './request-notices.ts';
import { inWords, referenceOf, requestRows } from './request-row.ts';

const WAITING = preparedQuery<{ id: string }>(`select r.id::text from (
    select resource_request_id as id from resource_request_question where account_name = $1 and closed_at is null
    union select resource_request_id from resource_request where recipient_name = $1 and state in ('offered', 'awaiting-fee')
    union select resource_request_id from resource_request where account_name = $1 and state = 'awaiting-fee' and recipient_name is null) r
  order by r.id limit 10`);

/** Questions of the registry, offers that wait for the account, and fees that block a transfer. */
export async function requestsAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.permissions.has('tickets-resources-view')) return [];
  const { accountName } = account;
  const named = await read.rows<{ id: string }>(WAITING(accountName));
  if (named.length === 0) return [];
  const rows = await requestRows(
    read,
    sql`r.resource_request_id = any(${named.map(({ id }) => id)}::bigint[]) order by r.resource_request_id`,
  );
  return rows.map((row): Attention => {
    const reference = referenceOf(row.id);
    const link = pageOf(row, accountName);
    const question = questionTo(row, accountName);
    if (question)
      return {
        attentionId: `request-question-${row.id}`,
        urgency: 'soon',
        due: question.answerBy,
        title: `The registry has a question about ${reference}`,
        detail: question.words,
        action: { label: 'Answer', link },
        forWhom: 'account',
      };
    if (row.state === 'offered')
      return {
        attentionId: `transfer-offer-${row.id}`,
        urgency: 'soon',
        due: row.expiresAt,
        title: `${row.accountName} offers you a transfer`,
        detail: `${inWords(row)}. Acknowledge or decline it; without an answer the offer expires.`,
        action: { label: 'View offer', link },
        forWhom: 'account',
      };
    return {
      attentionId: `transfer-fee-${row.id}`,
      urgency: 'soon',
      due: null,
      title: `${reference} needs its transfer fee paid`,
      detail: 'The transfer completes when the fee is paid.',
      action: { label: 'View transfer', link },
      forWhom: 'account',
    };
  });
}
