import type { Attention } from '@portal/contract/home/home';
import type { AttentionSubject } from '../../platform/attention.ts';
import { proposalsOf } from './proposals.ts';

const MAX = 5;

/** Changes of colleagues that wait for the second approval of the caller. */
export async function proposalsAttention({ read, caller, account }: AttentionSubject): Promise<Attention[]> {
  if (!account.contactTypes.includes('corporate')) return [];
  const { waiting } = await proposalsOf(read, { accountName: account.accountName }, caller.loginId);
  return waiting
    .filter(({ isMine }) => !isMine)
    .slice(0, MAX)
    .map(({ proposalId, what, proposedBy, expiresAt }) => ({
      attentionId: `proposal-${proposalId}`,
      urgency: 'urgent',
      due: expiresAt,
      title: `${proposedBy} proposes: ${what}`,
      detail: 'It needs your approval before it expires.',
      action: { label: 'Review', link: '/member-account-settings/approvals' },
      forWhom: 'account',
    }));
}
