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
        title: `My${profile.product}`,
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
      over: [{ table: 'mail', after: 'writtenAt', filled: ['sentAt', 'refusedAt'] }],
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
