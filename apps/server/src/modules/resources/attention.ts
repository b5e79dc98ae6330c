import type { Attention } from '@portal/contract/home/home';
import { recordAddress } from '@portal/contract/records/record-address';
import { type AttentionSubject, dayInWords } from '../../platform/attention.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { holdsReleasedSoon } from './released-holds.ts';

/** Delegations that can soon be transferred. */
export async function resourcesAttention(
  { read, account, now }: AttentionSubject,
  { profile }: Pick<ModuleContext, 'profile'>,
): Promise<Attention[]> {
  if (!account.permissions.has('resources-view')) return [];
  const holds = await holdsReleasedSoon(read, account.accountName, now);
  return holds.map(({ resource, holdUntil }) => ({
    attentionId: `hold-${resource}`,
    urgency: 'note',
    due: holdUntil,
    title: `${resource} can be transferred from ${dayInWords(holdUntil)}`,
    detail: `Space from ${profile.lastSlash8} can’t be transferred before the day that was set when it was delegated.`,
    action: { label: 'View delegation', link: recordAddress(resource) },
    forWhom: 'account',
  }));
}
