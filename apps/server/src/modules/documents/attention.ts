import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import { type AttentionSubject, dayInWords } from '../../platform/attention.ts';

/** Agreements that a corporate contact has to sign. */
export async function documentsAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.contactTypes.includes('corporate')) return [];
  const rows = await read.rows<{
    documentId: number;
    title: string;
    uploadedAt: string;
  }>(sql`select document_id, title, uploaded_at from document
    where account_name = ${account.accountName} and signature = 'to-sign' order by document_id limit 5`);
  return rows.map(({ documentId, title, uploadedAt }) => ({
    attentionId: `sign-${documentId}`,
    urgency: 'soon',
    due: uploadedAt,
    title: `Sign “${title}”`,
    detail: `The registry sent it on ${dayInWords(uploadedAt)}. Open and read it, then sign it for the account.`,
    action: { label: 'Read and sign', link: '/member-account-settings/documents' },
    forWhom: 'account',
  }));
}
