import type { Attention } from '@portal/contract/home/home';
import type { AttentionSubject } from '../../platform/attention.ts';

/** Agreements that a corporate contact has to sign. */
export async function documentsAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.contactTypes.includes('corporate')) return [];
  const rows = await read
    .selectFrom('document')
    .select(['documentId', 'title', 'uploadedAt'])
    .where('accountName', '=', account.accountName)
    .where('signature', '=', 'to-sign')
    .orderBy('documentId')
    .limit(5)
    .execute();
  return rows.map(({ documentId, title, uploadedAt }) => ({
    attentionId: `sign-${documentId}`,
    urgency: 'soon',
    due: uploadedAt,
    title: `Sign “${title}”`,
    detail: 'The registry sent it. Open and read it, then sign it for the account.',
    action: { label: 'Read and sign', link: '/member-account-settings/documents' },
    forWhom: 'account',
  }));
}
