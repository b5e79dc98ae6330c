import { forGood } from '../../platform/kept-data.ts';
import { statisticsFeed } from './transfers/feed.ts';
import type { Module } from '../../platform/module.ts';
import { requestNames } from './act-names.ts';
import { requestsWords } from './activity-words.ts';
import { requestsInvariants } from './invariants.ts';
import { requestsAttention } from './attention.ts';
import { completePaidTransfers } from './completion.ts';
import { runListingDeadlines } from './listings/listing-deadlines.ts';
import { publishToday } from './transfers/published-archive.ts';
import { publishedFiles } from './transfers/published-files.ts';
import { requestPolicyEffects } from './policy-effects.ts';
import { requestPermissions } from './deciders.ts';
import { restrainedRequests } from './restrained.ts';
import { runRequestDeadlines } from './request-deadlines.ts';
import { requestRoutes } from './routes.ts';
import { countSubaccountRequests } from './subaccount-requests.ts';
import { serveWaitingList } from './waiting-list/served-waiting-list.ts';
import { requestsOfStaff } from './requests-of-staff.ts';
import { requestsPersonal } from './personal-data.ts';
import { requestsTexts } from './mail-texts.ts';
import { requestServiceFacts, transferFacts } from './board-facts.ts';

export const requestsModule: Module = {
  name: 'requests',
  boardFacts: { transfers: transferFacts, service: requestServiceFacts },
  mailTexts: requestsTexts,
  folders: ['rules', 'listings', 'transfers', 'waiting-list'],
  tables: [
    'heldObject',
    'listing',
    'listingMessage',
    'preApproval',
    'publishedFile',
    'resourceRequest',
    'resourceRequestEvent',
    'resourceRequestQuestion',
  ],
  personal: requestsPersonal,
  routes: () => requestRoutes,
  pages: { readsFrom: 'primary', serve: publishedFiles },
  feeds: [statisticsFeed],
  schedule: [
    { name: 'requests.runRequestDeadlines', every: 10, run: ({ db, clock, profile }) => runRequestDeadlines(db, clock(), profile) },
    { name: 'requests.completePaidTransfers', every: 1, run: ({ db, clock, profile }) => completePaidTransfers(db, clock(), profile) },
    { name: 'requests.serveWaitingList', every: 10, run: ({ db, clock, profile }) => serveWaitingList(db, clock(), profile) },
    { name: 'requests.publishFiles', every: 10, run: publishToday },
    { name: 'requests.runListingDeadlines', every: 60, run: ({ db, clock, profile }) => runListingDeadlines(db, clock(), profile) },
  ],
  attention: requestsAttention,
  countSubaccountRequests,
  policyEffects: requestPolicyEffects,
  actNames: requestNames,
  staffCases: requestsOfStaff,
  casePermissions: requestPermissions,
  restrainedCases: restrainedRequests,
  words: requestsWords,
  invariants: requestsInvariants,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'contact',
      data: 'Messages about listings',
      purpose: 'To bring those together who transfer numbers',
      until: 'A year',
      ends: 'deleted by its module',
      tables: ['listingMessage'],
    },
    {
      of: 'contact',
      data: 'Names and mailboxes in requests and transfers',
      purpose: 'To decide them, and to show later how',
      until: forGood,
      ends: 'record',
      tables: ['resourceRequest', 'askedObject'],
    },
  ],
};
