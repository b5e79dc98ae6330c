import { dayIn } from '@portal/contract/days';
import type { Attention } from '@portal/contract/home/home';
import type { AttentionSubject } from '../../platform/attention.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { electionsOfMember } from './voting.ts';

/** Votes of the account that the caller can cast now. */
export async function electionsAttention(
  { read, caller, account, now }: AttentionSubject,
  { profile }: Pick<ModuleContext, 'profile'>,
): Promise<Attention[]> {
  if (account.asStaff || account.contactId === null) return [];
  const elections = await electionsOfMember(read, account, caller, { now, today: dayIn(profile.timeZone, now) });
  return elections.flatMap(({ shown: { electionId, title, windows } }): Attention[] => {
    const open = windows.find(({ kind, state, eligibility }) => kind === 'member-vote' && state === 'open' && eligibility?.reason === null);
    if (!open) return [];
    return [
      {
        attentionId: `vote-${electionId}`,
        urgency: 'soon',
        due: open.closesAt,
        title: `Vote in “${title}”`,
        detail: `Cast the votes of ${account.accountName} before voting closes.`,
        action: { label: 'Vote', link: '/voting' },
        forWhom: 'me',
      },
    ];
  });
}
