import { isBookkeeping, ofAccount, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const apiKeysPersonal: PersonalTables = {
  apiKey: {
    own: { loginId: 'login' },
    erased: { kept: 'The key is of its account; it is revoked' },
    gives: ['apiKeyId', 'accountName', 'label', 'scopes', 'networks', 'createdAt', 'expiresAt', 'revokedAt'],
    withholds: { issuer: isBookkeeping, subject: isBookkeeping, remindedAt: isBookkeeping, alarmedAt: isBookkeeping },
  },
  apiKeyUse: { absent: 'Of an account or organisation, whose contacts see it', others: { lastAddress: ofAccount, oldAddress: ofAccount } },
};
