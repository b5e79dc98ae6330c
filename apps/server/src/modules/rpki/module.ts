import { sql } from 'kysely';
import { backlogOf } from '../../platform/backlogs.ts';
import type { Module } from '../../platform/module.ts';
import { rpkiNames } from './act-names.ts';
import { rpkiWords } from './activity-words.ts';
import { rpkiInvariants } from './invariants.ts';
import { aspaRecords } from './aspa-records.ts';
import { certificateRecords } from './authorities/certificate-records.ts';
import { checklistPage } from './checklists/checklist-page.ts';
import { childRoutes, forgetAnswers } from './children/child-routes.ts';
import { warnOfEndingFiles } from './children/ending-files.ts';
import { warnOfLeftOutFiles } from './left-out-files.ts';
import { noticeLostRoas } from './lost-roas.ts';
import { repositoryFeeds } from './repository/feeds.ts';
import { publisherProblems } from './repository/alarms.ts';
import { publisherServer, repositoryMetrics } from './repository/publisher.ts';
import { repositoryPages } from './repository/repository-pages.ts';
import { roaRecords } from './roa-records.ts';
import { noticeSuspension, rpkiAttention } from './suspensions.ts';
import { messageWorkQueue } from './waiting-messages.ts';
import { unpublishedAttention } from './unpublished.ts';
import { rpkiRoutes } from './routes.ts';
import { rpkiTexts } from './mail-texts.ts';

export const rpkiModule: Module = {
  name: 'rpki',
  mailTexts: rpkiTexts,
  folders: ['authorities', 'children', 'checklists', 'repository'],
  tables: [
    'aspa',
    'roa',
    'rpkiCa',
    'rpkiCertificate',
    'rpkiChangedFile',
    'rpkiChecklist',
    'rpkiChild',
    'rpkiChildContact',
    'rpkiChildJudgement',
    'rpkiChildKey',
    'rpkiChildVrp',
    'rpkiDue',
    'rpkiKey',
    'rpkiLeftOut',
    'rpkiManifest',
    'rpkiMessage',
    'rpkiObject',
    'rpkiOneTimeKey',
    'rpkiSuspension',
    'rrdpDelta',
    'rrdpSession',
  ],
  routes: () => rpkiRoutes,
  pages: {
    readsFrom: 'primary',
    serve: (http, context) => {
      repositoryPages(http, context);
      childRoutes(http, context);
      checklistPage(http, {
        read: context.db.read,
        profile: context.profile,
        styleSheet: context.asset('apps/server/web/checklists.css'),
        script: context.asset('apps/server/web/checklists.ts'),
        clock: context.clock,
      });
    },
  },
  tasks: [noticeLostRoas, noticeSuspension],
  workQueues: [messageWorkQueue],
  attention: async subject => [...(await rpkiAttention(subject)), ...(await unpublishedAttention(subject))],
  schedule: [warnOfEndingFiles, warnOfLeftOutFiles, forgetAnswers],
  records: [certificateRecords, roaRecords, aspaRecords],
  servers: [publisherServer],
  notReady: ({ db, clock }) => publisherProblems(db.read, clock()),
  metrics: ({ db, clock }) => repositoryMetrics(db.read, clock()),
  lostOnClosing: async (read, accountName) => {
    const { count } = await read
      .selectFrom('roa')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('accountName', '=', accountName)
      .executeTakeFirstOrThrow();
    return count === 0 ? null : count === 1 ? '1 ROA' : `${count} ROAs`;
  },
  actNames: rpkiNames,
  words: rpkiWords,
  invariants: rpkiInvariants,
  feeds: repositoryFeeds,
  backlogs: [
    backlogOf('rpki.changes', sql`rpki_due`, sql`noticed_at`),
    backlogOf('rpki.messages', sql`rpki_message where answer is null`, sql`received_at`),
    backlogOf('rpki.judgements', sql`rpki_child_judgement where changes is distinct from judged_changes`, sql`judged_at`),
  ],
  demo: () => import('./demo.ts'),
};
