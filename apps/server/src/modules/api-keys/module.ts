import { apiKeyKeptDays } from '@portal/contract/api-keys/api-keys';
import type { Module } from '../../platform/module.ts';
import { apiKeyNames } from './act-names.ts';
import { apiKeysWords } from './activity-words.ts';
import { remindOfExpiringKeys } from './expiring-keys.ts';
import { keyRecords } from './key-records.ts';
import { ownKeys } from './own-keys.ts';
import { apiKeyRoutes } from './routes.ts';
import { apiKeysPersonal } from './personal-data.ts';
import { apiKeysTexts } from './mail-texts.ts';

export const apiKeysModule: Module = {
  name: 'api-keys',
  mailTexts: apiKeysTexts,
  tables: ['apiKey', 'apiKeySecret', 'apiKeyUse'],
  personal: apiKeysPersonal,
  routes: () => apiKeyRoutes,
  schedule: [{ name: 'apiKeys.remindOfExpiringKeys', every: 60, run: ({ db, clock }) => remindOfExpiringKeys(db, clock()) }],
  records: [keyRecords],
  loginPrograms: () => ownKeys,
  actNames: apiKeyNames,
  demo: () => import('./demo.ts'),
  words: apiKeysWords,
  keeps: [
    {
      of: 'login',
      data: 'API keys that you made',
      purpose: 'To know who acts through a key',
      until: 'Permanently, so that it stays known who acted through a key',
      ends: 'record',
      tables: ['apiKey'],
    },
    {
      of: 'contact',
      data: 'Last internet addresses of an API key',
      purpose: 'To show where a key is used',
      until: `${apiKeyKeptDays} days after the key ended`,
      ends: 'deleted by its module',
      tables: ['apiKeyUse'],
    },
  ],
};
