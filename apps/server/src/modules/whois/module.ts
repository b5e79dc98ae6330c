import type { Module } from '../../platform/module.ts';
import { endFollows } from './follows/follows.ts';
import { irtValidationPage } from './irt/irt-validation-page.ts';
import { whoisRoutes } from './routes.ts';
import { echo, modifyAlike, modifyObjects } from './updates/update-task.ts';

export const whoisModule: Module = {
  name: 'whois',
  tables: [
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
  routes: whoisRoutes,
  pages: (http, { db, config, profile, asset }) =>
    irtValidationPage(http, { db, config, profile, styleSheet: asset('apps/server/web/sign-in.css') }),
  tasks: [modifyObjects, modifyAlike, echo],
  endsSubscriptions: [endFollows],
};
