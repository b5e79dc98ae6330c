import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const webhooksTexts = mailTexts('webhooks', {
  webhook: {
    topic: 'account.security',
    subject: 'Webhook {label} of {accountName} was {act}',
    body: ['{gaveTheWebhook}', '{nothingIsSent}', '{ifYouDidnt}'],
    says: {
      gaveTheWebhook: 'Corin Abara gave the webhook automation of EXAMPLE-AU a new secret. The secret before signs for 24 hours more.',
      nothingIsSent: 'Nothing is sent to https://hooks.example.net/registry any more.',
      ifYouDidnt: 'If you didn’t expect this, pause the webhook and check the activity log.',
    },
  },
  webhookTurnedOff: {
    topic: 'account.security',
    subject: 'Webhook {label} of {accountName} was turned off',
    body: [
      'The webhook {label} of {accountName} was turned off: {why}.',
      'Activities are no longer sent to {url}. Fix the receiver, then turn the webhook on again. Events that it missed can be sent again from its deliveries.',
    ],
    samples: { why: 'its receiver didn’t answer for three days' },
  },
});
