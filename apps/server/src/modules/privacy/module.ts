import type { Module } from '../../platform/module.ts';
import { privacyNames } from './act-names.ts';
import { privacyWords } from './activity-words.ts';
import { forgetLastMails } from './erasures.ts';
import { obstaclesOf } from './obstacles.ts';
import { privacyPersonal } from './personal-data.ts';
import { endWhatIsOver } from './retention.ts';
import { privacyRoutes } from './routes.ts';

export const privacyModule: Module = {
  name: 'privacy',
  tables: ['endedData', 'endingPeriod', 'legalHold'],
  personal: privacyPersonal,
  routes: () => privacyRoutes,
  erasureObstacles: obstaclesOf,
  schedule: [
    { name: 'privacy.endWhatIsOver', every: 60, run: endWhatIsOver },
    { name: 'privacy.forgetLastMails', every: 60, run: forgetLastMails },
  ],
  demo: () => import('./demo.ts'),
  words: privacyWords,
  actNames: privacyNames,
  keeps: [
    {
      of: 'login',
      data: 'Legal holds: that your data may not be deleted for now, and why',
      purpose: 'To keep what a court, an authority or a dispute asks for',
      until: 'Permanently, as a record of the registry’s decisions',
      ends: 'record',
      tables: ['legalHold'],
    },
  ],
};
