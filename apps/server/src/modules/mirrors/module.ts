import type { Module } from '../../platform/module.ts';
import { mirrorsWords } from './activity-words.ts';
import { dumpFiles } from './dump-files.ts';
import { mirrorFeeds } from './feeds.ts';
import { nrtmFiles } from './nrtm-files.ts';
import { dumpHourly, isDumpCurrent } from './dump.ts';
import { answerNrtm3 } from './nrtm3.ts';
import { publishNrtm } from './nrtm4.ts';
import { mirrorsPlace } from './publishing-place.ts';

export const mirrorsModule: Module = {
  name: 'mirrors',
  tables: ['nrtmKey'],
  answersMirrors: ({ db, profile }, asked) => answerNrtm3(db.read, asked, profile),
  publishing: [mirrorsPlace],
  pages: {
    readsFrom: 'primary',
    serve: (http, { db, config, profile }) => {
      nrtmFiles(http, { db, folder: config.nrtmDir, profile });
      dumpFiles(http, { folder: config.dumpDir, profile });
    },
  },
  schedule: [
    {
      name: 'mirrors.publishNrtm',
      every: 1,
      run: async ({ db, config, profile, box, clock }) => {
        await publishNrtm(db, { folder: config.nrtmDir, profile, box, now: clock() });
      },
    },
    {
      name: 'mirrors.dumpHourly',
      every: 10,
      run: async ({ db, config, profile, clock }) => {
        const now = clock();
        await dumpHourly(db.read, { folder: config.dumpDir, profile, now });
        // The recorded value is the age of the files.
        if (await isDumpCurrent(db.read, { folder: config.dumpDir, profile })) return { at: now.toISOString() };
      },
    },
  ],
  feeds: mirrorFeeds,
  words: mirrorsWords,
};
