import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import { questionTo } from './questions.ts';
import { pageOf } from './request-notices.ts';
import { inWords, referenceOf, requestRows } from './request-row.ts';

/** Questions of the registry, offers that wait for the account, and fees that block a transfer. */
export async function requestsAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.permissions.has('tickets-resources-view')) return [];
  const { accountName } = account;
  const rows = await requestRows(
    read,
    sql`(exists (select from resource_request_question q where q.resource_request_id = r.resource_request_id and q.account_name = ${accountName} and q.closed_at is null) or (r.recipient_name = ${accountName} and r.state in ('offered', 'awaiting-fee'))
      or (r.account_name = ${accountName} and r.state = 'awaiting-fee' and r.recipient_name is null)) order by r.resource_request_id limit 10`,
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
