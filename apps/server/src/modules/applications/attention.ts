import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';

/** Questions of the registry about the caller's own applications. */
export async function applicationsAttention({ read, caller, account }: AttentionSubject): Promise<Attention[]> {
  if (account.asStaff) return [];
  const rows = await read.rows<{
    id: string;
    question: string;
  }>(sql`select membership_application_id::text as id, coalesce(question, '') as question
    from membership_application where login_id = ${caller.loginId} and state = 'needs-info' order by 1 limit 3`);
  return rows.map(({ id, question }) => ({
    attentionId: `application-question-${id}`,
    urgency: 'soon',
    due: null,
    title: 'The registry has a question about your application',
    detail: question,
    action: { label: 'Answer', link: `/add-account?application=${id}` },
    forWhom: 'me',
  }));
}
