import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const apiKeysTexts = mailTexts('api-keys', {
  apiKey: {
    topic: 'account.security',
    subject: 'API key {label} of {accountName} was {done}',
    body: ['{actor} {done} the API key {label} of {accountName}.', '{details}', '{details2}'],
    says: {
      details: 'It can read accounts, and change ROAs of EXAMPLE-AU.',
      details2: 'If you didn’t expect this, revoke the key and check the activity log.',
    },
    samples: { done: 'created' },
  },
  apiKeyUsedForeignAddress: {
    topic: 'account.security',
    subject: 'API key {label} of {accountName} was used from a foreign address',
    body: [
      'A program at {address} called the registry API with the key {label} ({prefix}…) of {accountName}. The call was refused, because the key isn’t allowed from there.',
      'If that isn’t a program of yours, the key has leaked: revoke it or rotate it now.',
    ],
  },
  apiKeyExpiresSoon: {
    topic: 'account.security',
    subject: 'API key {label} of {accountName} expires soon',
    body: [
      'The API key {label} of {accountName} expires on {until} UTC. Programs that use it are refused from then on.',
      'Create a new key and give it to them before.',
    ],
  },
});
