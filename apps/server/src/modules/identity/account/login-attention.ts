import { DAY_MS } from '@portal/contract/days';
import type { Attention } from '@portal/contract/home/home';
import { type AttentionSubject, dayInWords } from '../../../platform/attention.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { hasSecondFactor } from '../factors/second-factors.ts';

const SOON_MS = 14 * DAY_MS;

/** A session without a second factor, and the day from which the account requires one. */
export async function loginAttention(
  { read, caller, account, now }: AttentionSubject,
  { config }: Pick<ModuleContext, 'config'>,
): Promise<Attention[]> {
  if (caller.mfa || account.asStaff) return [];
  const { secondFactorFrom } = account;
  const has = await hasSecondFactor(read, caller.loginId);
  // People with a second factor are asked for it when a change needs it, so nothing needs their attention.
  const page = config.profileUrl.endsWith('/account') ? `${config.profileUrl}/factors` : config.profileUrl;
  const action = has ? null : { label: 'Turn on two-factor', link: page };
  if (typeof secondFactorFrom === 'string')
    return [
      {
        attentionId: 'second-factor-demanded',
        urgency: Date.parse(secondFactorFrom) - now.getTime() > SOON_MS ? 'soon' : 'urgent',
        due: secondFactorFrom,
        title: `${account.accountName} requires two-factor from ${dayInWords(secondFactorFrom)}`,
        detail: 'From then on you need two-factor authentication to open this account.',
        action,
        forWhom: 'me',
      },
    ];
  return [
    {
      attentionId: 'no-second-factor',
      urgency: has ? 'note' : 'soon',
      due: null,
      title: has ? 'You’re signed in without two-factor' : 'Your login is protected by a password only',
      detail: has
        ? 'You’re asked to confirm it’s you when a change needs it.'
        : 'Contacts, routes, certificates and voting need two-factor, so that a stolen password can’t move your prefixes.',
      action,
      forWhom: 'me',
    },
  ];
}
