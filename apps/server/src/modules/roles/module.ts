import type { Module } from '../../platform/module.ts';
import { rolesNames } from './act-names.ts';
import { rolesWords } from './activity-words.ts';
import { rolesInvariants } from './invariants.ts';
import { rolesRoutes } from './routes.ts';
import { forGood } from '../../platform/kept-data.ts';
import { rolesPersonal } from './personal-data.ts';
import { rolesTexts } from './mail-texts.ts';

export const rolesModule: Module = {
  name: 'roles',
  mailTexts: rolesTexts,
  tables: ['caseHandOver', 'staffAssignment', 'staffGroup', 'staffRole'],
  personal: rolesPersonal,
  routes: () => rolesRoutes,
  actNames: rolesNames,
  invariants: rolesInvariants,
  words: rolesWords,
  keeps: [
    {
      of: 'login',
      data: 'Roles among registry staff: who gave them, why and until when',
      purpose: 'To know who may do what, and who gave it',
      until: forGood,
      ends: 'record',
      tables: ['staffAssignment', 'staffGroup'],
    },
    {
      of: 'login',
      data: 'Cases that a person of registry staff gave to a colleague or got from one, with the words',
      purpose: 'To know later who handled a case',
      until: forGood,
      ends: 'record',
      tables: ['caseHandOver'],
    },
  ],
};
