import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import { type AttentionSubject, dayInWords } from '../../platform/attention.ts';

const page = '/member-account-settings/organization-details';

/** Questions of the registry about a requested change, and the day on which the account closes. */
export async function organisationsAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  const [questions, closures] = await Promise.all([
    account.permissions.has('contacts-details-view')
      ? read.rows<{
          id: string;
          question: string;
          requestedAt: string;
        }>(sql`select organisation_change_id::text as id, coalesce(question, '') as question, requested_at
          from organisation_change where account_name = ${account.accountName} and state = 'needs-info' order by organisation_change_id limit 5`)
      : [],
    read
      .selectFrom('accountClosureRequest')
      .select('closeOn')
      .where('accountName', '=', account.accountName)
      .where('state', '=', 'approved')
      .limit(1)
      .execute(),
  ]);
  return [
    ...closures.map(
      ({ closeOn }): Attention => ({
        attentionId: 'account-closing',
        urgency: 'urgent',
        due: closeOn,
        title: `${account.accountName} closes on ${dayInWords(closeOn)}`,
        detail: 'All contacts lose access on that day. A corporate contact can withdraw the request until then.',
        action: account.permissions.has('contacts-details-view') ? { label: 'View request', link: page } : null,
        forWhom: 'account',
      }),
    ),
    ...questions.map(
      ({ id, question, requestedAt }): Attention => ({
        attentionId: `organisation-question-${id}`,
        urgency: 'soon',
        due: requestedAt,
        title: 'The registry has a question about your organisation',
        detail: question,
        action: { label: 'Answer', link: page },
        forWhom: 'account',
      }),
    ),
  ];
}
