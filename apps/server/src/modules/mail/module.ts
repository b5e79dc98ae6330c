import { portalNameOf } from '../../brand.ts';
import type { TopicKey } from '@portal/contract/notifications/topics';
import { sql } from 'kysely';
import { mailFeed } from './feed.ts';
import { backlogOf } from '../../platform/backlogs.ts';
import type { Module } from '../../platform/module.ts';
import { mailWords } from './activity-words.ts';

import { showStoredMail } from './stored-mail.ts';
import { mailInvariants } from './invariants.ts';
import { mailSenderOf } from './mail-sender.ts';
import { deliverMail, deleteExpiredLinks } from './mail.ts';
import { personOfModules } from './person.ts';
import { mailPersonal } from './personal-data.ts';
import { mailRoutes } from './routes.ts';

/** Topics of mails that may have to be proved years later. */
const notices = [
  'account.security',
  'applications.status',
  'billing.invoices',
  'billing.reminders',
  'billing.renewal',
  'elections.votes',
  'organisation.changes',
  'organisation.documents',
  'resources.requests',
] as const satisfies readonly TopicKey[];

export const mailModule: Module = {
  name: 'mail',
  tables: ['freezeLink', 'mail', 'mailRefusal', 'mailTextVersion'],
  personal: mailPersonal,
  invariants: mailInvariants,
  routes: () => mailRoutes,
  tasks: [deliverMail],
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile, clock, box, asset, modules }) => {
      if (!config.demoMode) return;
      showStoredMail(http, {
        read: db.read,
        styleSheet: asset('apps/server/web/stored-mail.css'),
        titleOf: () => portalNameOf(profile),
        box,
        mailSender: mailSenderOf(config, profile),
        personOf: personOfModules({ modules }),
        clock,
      });
    },
  },
  schedule: [{ name: 'mail.deleteExpiredLinks', every: 10, run: ({ db, clock }) => deleteExpiredLinks(db, clock()) }],
  feeds: [mailFeed],
  backlogs: [backlogOf('mail', sql`mail where sent_at is null and refused_at is null`, sql`written_at`)],
  words: mailWords,
  keeps: [
    {
      of: 'login',
      data: 'Mails that the registry sent to you',
      purpose: 'To show what was sent, and to repeat what didn’t arrive',
      from: 'after they were written',
      ends: 'mails',
      tables: ['mail'],
      over: [
        { table: 'mail', after: 'writtenAt', filled: ['sentAt', 'refusedAt'], except: { topic: notices } },
        {
          table: 'mail',
          after: 'writtenAt',
          filled: ['sentAt', 'refusedAt'],
          only: { topic: notices },
          period: { ends: 'notices', data: 'Mails about fees, votes, documents, requests, applications and the safety of an account' },
        },
      ],
    },
    {
      of: 'login',
      data: 'Addresses that refuse mail',
      purpose: 'To warn you, and to stop sending',
      until: 'Until the address takes mail again',
      ends: 'deleted by its module',
      tables: ['mailRefusal'],
    },
  ],
};
