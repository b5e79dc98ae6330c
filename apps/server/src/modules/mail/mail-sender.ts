import { portalNameOf } from '../../brand.ts';
import type { Config } from '../../config.ts';
import type { Profile } from '../../profile.ts';
import { freezeAddress } from './freeze-link.ts';
import type { MailSender } from './mail-template.ts';
import { subscriptionLink } from './subscription-link.ts';
import { unsubscribeLink } from './unsubscribe-link.ts';

/** The registry's mailSender, from its settings and profile. */
export const mailSenderOf = (
  config: Pick<Config, 'appUrl' | 'mailIn' | 'secretKey' | 'secretKeyOld'>,
  profile: Pick<Profile, 'product' | 'portalName' | 'registryName'>,
): MailSender => ({
  // Those of the moment in which a mail is written.
  get product() {
    return portalNameOf(profile);
  },
  get registryName() {
    return profile.registryName;
  },
  appUrl: config.appUrl,
  readsReplies: config.mailIn !== '',
  freezeAddress: freezeLinkId => freezeAddress(config, freezeLinkId),
  unsubscribeLink: stopped => unsubscribeLink(config, stopped),
  subscriptionLink: subscriberId => subscriptionLink(config, subscriberId),
});
