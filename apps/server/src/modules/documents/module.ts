import { forGood } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { documentNames } from './act-names.ts';
import { documentsWords } from './activity-words.ts';
import { documentsAttention } from './attention.ts';
import { certificatePages } from './certificate-page.ts';
import { copyStorage } from './copy-storage.ts';
import { findDocuments } from './document-finder.ts';
import { fileStorage } from './file-storage.ts';
import { documentFiles } from './kept-files.ts';
import { documentsPersonal } from './personal-data.ts';
import { documentRoutes } from './routes.ts';
import { scanFile } from './scanning.ts';
import { sweepFiles } from './sweeping.ts';
import { documentsTexts } from './mail-texts.ts';

export const documentsModule: Module = {
  name: 'documents',
  mailTexts: documentsTexts,
  tables: ['document', 'documentOpening', 'membershipCertificate', 'registryIdentity', 'storedFile'],
  keeps: [
    {
      of: 'contact',
      data: 'Documents that you sent or signed',
      purpose: 'To show what was handed in',
      until: forGood,
      ends: 'record',
      tables: ['document'],
    },
    {
      of: 'contact',
      data: 'Which documents you opened',
      purpose: 'To show who read a document',
      from: 'after you opened them',
      ends: 'documentOpenings',
      tables: ['documentOpening'],
      over: [{ table: 'documentOpening', after: 'openedAt', ofDocument: 'documentId' }],
    },
  ],
  personal: documentsPersonal,
  routes: () => documentRoutes,
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, profile, clock, asset, modules }) =>
      certificatePages(http, {
        read: db.read,
        others: modules.flatMap(({ findsCertificate }) => findsCertificate ?? []),
        profile,
        styleSheet: asset('apps/server/web/public-page.css'),
        clock,
      }),
  },
  tasks: [scanFile],
  keptFiles: [documentFiles],
  copyStorage: ({ outside }) => copyStorage(outside(fileStorage)),
  schedule: [
    {
      name: 'documents.sweepFiles',
      every: 60,
      run: ({ db, clock, log, modules, outside }) =>
        sweepFiles(db, { store: outside(fileStorage), kinds: modules.flatMap(module => module.keptFiles ?? []), now: clock(), log }),
    },
  ],
  attention: documentsAttention,
  find: findDocuments,
  actNames: documentNames,
  words: documentsWords,
  demo: () => import('./demo.ts'),
};
