import type { Module } from '../../platform/module.ts';
import { encryptedBallotsWords } from './activity-words.ts';
import { archivePage } from './archive-page.ts';
import { askAppointed } from './asking.ts';
import { closeVoting } from './counting.ts';
import { decisionPageOf } from './decision-page.ts';
import { electionPage } from './election-page.ts';
import { encryptedBallotInvariants } from './invariants.ts';
import { noteEvents } from './noted-events.ts';
import { remindOfObjections } from './objection-reminders.ts';
import { encryptedBallotRoutes } from './routes.ts';
import { verifierFile } from './verifier-file.ts';
import { encryptedBallotsPersonal } from './personal-data.ts';
import { forGood } from '../../platform/kept-data.ts';
import { encryptedBallotsTexts } from './mail-texts.ts';

export const encryptedBallotsModule: Module = {
  name: 'encrypted-ballots',
  mailTexts: encryptedBallotsTexts,
  tables: [
    'ballotCredential',
    'ballotEvent',
    'ballotTrustee',
    'encryptedBallot',
    'notedEvent',
    'replacedArchive',
    'rollObjection',
    'votingRight',
  ],
  keeps: [
    {
      of: 'voter',
      data: 'Trustees of an election',
      purpose: 'To know who opens the result together',
      until: forGood,
      ends: 'record',
      tables: ['ballotTrustee'],
    },
  ],
  personal: encryptedBallotsPersonal,
  routes: () => encryptedBallotRoutes,
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile, clock, asset }) => {
      archivePage(http, db);
      verifierFile(http);
      electionPage(http, {
        db,
        config,
        profile,
        styleSheet: asset('apps/server/web/public-page.css'),
        clock,
      });
    },
  },
  schedule: [
    { name: 'encryptedBallots.closeVoting', every: 1, run: ({ db, clock }) => closeVoting(db, clock()) },
    { name: 'encryptedBallots.askAppointed', every: 1, run: ({ db, clock }) => askAppointed(db, clock()) },
    { name: 'encryptedBallots.remindOfObjections', every: 60, run: ({ db, clock, profile }) => remindOfObjections(db, clock(), profile) },
    { name: 'encryptedBallots.noteEvents', every: 60, run: ({ db }) => noteEvents(db) },
  ],
  decisionPageOf,
  invariants: encryptedBallotInvariants,
  words: encryptedBallotsWords,
};
