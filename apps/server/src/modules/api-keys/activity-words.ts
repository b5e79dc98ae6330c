import type { apiKeys } from '@portal/contract/api-keys/api-keys';
import { list, type ModuleWords, text, time } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const apiKeysWords = {
  activities: {
    apiKeys: {
      category: 'contacts',
      actions: {
        createApiKey: 'Create an API key',
        rotateApiKey: 'Rotate an API key',
        changeApiKey: 'Change an API key',
        keepOldSecret: 'Change how long an old secret works',
        revokeApiKey: 'Revoke an API key',
        noticeForeignUse: 'Refuse an API key from a foreign address',
        remindOfExpiry: 'Send a reminder of an API key that expires',
      },
    },
  },
  rows: {
    api_key: {
      what: 'API key',
      key: ['api_key_id'],
      owner: 'account_name',
      name: ['label'],
      columns: {
        label: text('Label'),
        scopes: list('Scopes'),
        networks: list('Allowed addresses'),
        expires_at: time('Expires'),
        revoked_at: time('Revoked'),
      },
      unsaid: ['api_key_id', 'account_name', 'login_id', 'issuer', 'subject', 'created_at', 'reminded_at', 'alarmed_at'],
    },
  },
  unshown: { api_key_secret: 'the line says that a key was created or rotated; its beginning is in the list of keys' },
} satisfies ModuleWords<{ apiKeys: typeof apiKeys }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    apiKeys: typeof apiKeysWords;
  }
}
