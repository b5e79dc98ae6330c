import { untilRemoved } from '../../platform/kept-data.ts';
import { sql } from 'kysely';
import { whoisFeed } from './feed.ts';
import { backlogOf } from '../../platform/backlogs.ts';
import type { Module } from '../../platform/module.ts';
import { whoisNames } from './act-names.ts';
import { whoisWords } from './activity-words.ts';
import { whoisInvariants } from './invariants.ts';
import { endFollows } from './follows/follows.ts';
import { irtValidationPage } from './irt/irt-validation-page.ts';
import { port43Places } from './query/publishing-places.ts';
import { whoisRoutes } from './routes.ts';
import { whoisTaskItems } from './updates/task-items.ts';
import { bulkModify, modifyObjects } from './updates/update-task.ts';
import { expireConsents } from './updates/consents.ts';
import { notifyFollowers } from './follows/follow-notices.ts';
import { validateIrtMailboxes } from './irt/irt-validation.ts';
import { accountsToSync, syncRegistryObjects, onLedgerChange } from './ledger/registry-object-sync.ts';
import { removeDueUsers } from './maintainers/last-users.ts';
import { whoisServer } from './query/whois-server.ts';
import { whoisAttention } from './attention.ts';
import { findWhoisEverywhere, findWhoisObjects } from './objects/object-finder.ts';
import { whoisPersonal } from './personal-data.ts';
import { whoisTexts } from './mail-texts.ts';

export const whoisModule: Module = {
  name: 'whois',
  mailTexts: whoisTexts,
  folders: ['authority', 'store', 'consents', 'rights', 'objects', 'submit', 'query', 'ledger', 'updates', 'maintainers', 'irt', 'follows'],
  tables: [
    'askedObject',
    'carriedLine',
    'handleSequence',
    'irtContact',
    'maintainerCode',
    'maintainerLastUser',
    'maintainerLink',
    'whoisConsent',
    'whoisDueAccount',
    'whoisFollow',
    'whoisFollowProgress',
    'whoisJournal',
    'whoisKey',
    'whoisObject',
    'whoisPresence',
    'whoisReference',
    'whoisTaskItem',
  ],
  personal: whoisPersonal,
  routes: () => whoisRoutes,
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile, asset, clock }) =>
      irtValidationPage(http, { db, config, profile, clock, styleSheet: asset('apps/server/web/public-page.css') }),
  },
  tasks: [modifyObjects, bulkModify],
  memberTasks: [
    { name: modifyObjects.name, kind: 'Whois objects', page: 'Whois/Bulk/ModifyObjects', bulk: true, items: whoisTaskItems },
    { name: bulkModify.name, kind: 'Whois bulk update', page: 'Whois/Bulk/Modify', bulk: true, items: whoisTaskItems },
  ],
  publishing: port43Places,
  endsSubscriptions: [endFollows],
  schedule: [
    {
      name: 'whois.syncRegistryObjects',
      every: 5,
      run: async ({ db, profile }) => {
        await syncRegistryObjects(db, profile);
      },
    },
    {
      name: 'whois.validateIrtMailboxes',
      every: 2,
      run: async ({ db, config, profile, box, clock }) => {
        await validateIrtMailboxes(db, { now: clock(), timers: config, appUrl: config.appUrl, box, profile });
      },
    },
    {
      name: 'whois.expireConsents',
      every: 10,
      run: async ({ db, profile, clock }) => {
        await expireConsents(db, profile, clock());
      },
    },
    {
      name: 'whois.removeDueUsers',
      every: 10,
      run: async ({ db, box, clock }) => {
        await removeDueUsers(db, { now: clock(), box });
      },
    },
    { name: 'whois.notifyFollowers', every: 1, run: ({ db }) => notifyFollowers(db) },
  ],
  notReady: ({ db }) => accountsToSync(db.read),
  feeds: [whoisFeed],
  backlogs: [backlogOf('whois.accounts', sql`whois_due_account`, sql`noticed_at`)],
  listen: ({ db, profile, log }) => onLedgerChange(db, () => syncRegistryObjects(db, profile), log),
  servers: [whoisServer],
  attention: whoisAttention,
  find: findWhoisObjects,
  findEverywhere: findWhoisEverywhere,
  actNames: whoisNames,
  words: whoisWords,
  invariants: whoisInvariants,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'contact',
      data: 'Whois objects that you follow',
      purpose: 'To notify you of changes of them',
      until: untilRemoved,
      ends: 'changed',
      tables: ['whoisFollow'],
    },
    {
      of: 'published',
      data: 'Person and role objects: name, postal address, telephone and e-mail address',
      purpose: 'To reach those who run a network. Queries see less than is kept, within limits',
      until: 'Until the member changes or removes the object. Earlier versions stay in its history',
      ends: 'changed',
      tables: ['whoisObject', 'whoisJournal'],
    },
    {
      of: 'published',
      data: 'Abuse mailboxes, and when each answered',
      purpose: 'To show whether reports of abuse are read',
      until: untilRemoved,
      ends: 'changed',
      tables: ['irtContact'],
    },
  ],
};
