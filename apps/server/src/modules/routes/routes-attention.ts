import type { Attention } from '@portal/contract/home/home';
import { printAsNumber } from '@portal/number-resources';
import type { AttentionSubject } from '../../platform/attention.ts';
import { seenAnnouncements } from './seen-announcements.ts';

/** Announcements of the account's space that networks drop because they are invalid. */
export async function routesAttention({ read, account }: AttentionSubject): Promise<Attention[]> {
  if (account.asStaff || !account.permissions.has('rescert-view')) return [];
  const { announcements } = await seenAnnouncements(read, account.accountName);
  const invalid = announcements.filter(({ validity }) => validity.startsWith('invalid'));
  if (invalid.length === 0) return [];
  const names = invalid.slice(0, 3).map(({ prefix, asn }) => `${prefix} from ${printAsNumber(asn)}`);
  return [
    {
      attentionId: 'routes-invalid',
      urgency: 'urgent',
      due: null,
      title:
        invalid.length === 1 ? `The announcement of ${names[0]} is invalid` : `${invalid.length} announcements of your space are invalid`,
      detail: `${invalid.length === 1 ? '' : `${names.join(', ')}${invalid.length > 3 ? ` and ${invalid.length - 3} more` : ''}. `}Many networks drop what your ROAs don’t allow. If you intend it, add a route for it.`,
      action: { label: 'Repair', link: '/resources/routes/index?show=invalid' },
      forWhom: 'account',
    },
  ];
}
