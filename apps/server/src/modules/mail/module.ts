import type { Module } from '../../platform/module.ts';
import { mailWords } from './activity-words.ts';

import { showKeptMail } from './kept-mail.ts';
import { letterheadOf } from './letterhead.ts';
import { deliverMail, forgetLinks } from './mail.ts';
import { personOfModules } from './person.ts';

export const mailModule: Module = {
  name: 'mail',
  tables: ['freezeLink', 'mail', 'mailRefusal'],
  tasks: [deliverMail],
  pages: (http, { db, config, profile, clock, box, asset, modules }) => {
    if (!config.demoMode) return;
    showKeptMail(http, {
      read: db.read,
      styleSheet: asset('apps/server/web/kept-mail.css'),
      title: `My${profile.product}`,
      box,
      letterhead: letterheadOf(config, profile),
      personOf: personOfModules({ modules }),
      clock,
    });
  },
  schedule: [{ name: 'mail.forgetLinks', every: 10, run: ({ db, clock }) => forgetLinks(db, clock()) }],
  words: mailWords,
};
