import type { Module } from '../../platform/module.ts';

import { openSecretBox } from '../../platform/secret-box.ts';
import { showKeptMail } from './kept-mail.ts';
import { letterheadOf } from './letterhead.ts';
import { deliverMail } from './mail.ts';

export const mailModule: Module = {
  name: 'mail',
  tables: ['freezeLink', 'mail', 'mailRefusal'],
  tasks: [deliverMail],
  pages: (http, { db, config, profile, clock, asset }) => {
    if (!config.demoMode) return;
    showKeptMail(http, {
      read: db.read,
      styleSheet: asset('apps/server/web/kept-mail.css'),
      title: `My${profile.product}`,
      box: openSecretBox(config),
      letterhead: letterheadOf(config, profile),
      clock,
    });
  },
};
