import type { Read } from '../../platform/database/index.ts';
import { untilRemoved } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { nirNames } from './act-names.ts';
import { nirWords } from './activity-words.ts';
import { nirInvariants } from './invariants.ts';
import { nirPersonal } from './personal-data.ts';
import { nirRoutes } from './routes.ts';

export const nirModule: Module = {
  name: 'nir',
  tables: ['nirDelegation', 'nirEntity', 'subaccount'],
  personal: nirPersonal,
  routes: () => nirRoutes,
  actNames: nirNames,
  words: nirWords,
  invariants: nirInvariants,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'customer',
      data: 'Organisations and sub-accounts of a national registry, with addresses',
      purpose: 'To register what they hold',
      until: untilRemoved,
      ends: 'changed',
      tables: ['nirEntity', 'subaccount'],
    },
  ],
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Counts open requests for a sub-account of a national registry, which prevent closing it. */
    countSubaccountRequests?: (read: Pick<Read, 'rows'>, subaccountId: string) => Promise<number>;
  }
}
