import type { AccountFeature, Feature, FeatureSetting } from '@portal/contract/features/features';
import { pages } from '@portal/contract/pages';
import { type BadgeKind, formatCount } from '@portal/ui';

/** The address of the page of a feature. */
export const hrefOf = (feature: string): string => `${pages.deskFeatures.path}?feature=${encodeURIComponent(feature)}`;

const accountsInWords = (count: number): string => `${formatCount(count)} named ${count === 1 ? 'account' : 'accounts'}`;

/** Who has a feature by a setting: `On for 25 % of accounts and 2 named accounts`. */
export function standingInWords({ stands, share, accounts }: Pick<FeatureSetting, 'stands' | 'share' | 'accounts'>): string {
  if (stands === 'off') return 'Off';
  if (stands === 'everyone') return 'On for everyone';
  if (stands === 'accounts') return `On for ${accountsInWords(accounts.length)}`;
  return `On for ${share}\u00a0% of accounts${accounts.length > 0 ? ` and ${accountsInWords(accounts.length)}` : ''}`;
}

/** Where a feature is now, as a mark: what the installation switches off is off, whatever is set. */
export function markOf({ setting, offByInstallation }: Pick<Feature, 'setting' | 'offByInstallation'>): { kind: BadgeKind; words: string } {
  if (offByInstallation) return { kind: 'warning', words: 'Off in the installation' };
  const words = standingInWords(setting);
  return { kind: setting.stands === 'off' ? 'neutral' : setting.stands === 'everyone' ? 'valid' : 'line', words };
}

/** How many accounts have it: `103 of 412 accounts`. */
export const countInWords = (on: number, total: number): string =>
  `${formatCount(on)} of ${formatCount(total)} ${total === 1 ? 'account' : 'accounts'}`;

/** Whether an account has a feature, and why, in a sentence. */
export function answerInWords({ accountName, isOn, why, fromShare }: AccountFeature): { title: string; why: string } {
  const inShare = `${accountName} is in every share from ${fromShare}\u00a0%.`;
  const reasons: Record<AccountFeature['why'], string> = {
    installation: 'It is off for everyone in the installation’s settings.',
    off: 'It is off for everyone.',
    everyone: 'It is on for everyone.',
    named: 'The setting names this account.',
    share: inShare,
    'not-named': 'The setting doesn’t name this account.',
    'not-in-share': inShare,
  };
  return { title: isOn ? `On for ${accountName}` : `Off for ${accountName}`, why: reasons[why] };
}

/** Names of accounts in what was typed: separated by spaces, commas or lines, each once. */
export const namesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(name => name !== ''),
  ),
];
