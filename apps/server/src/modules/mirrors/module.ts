import type { Module } from '../../platform/module.ts';
import { dumpFiles } from './dump-files.ts';
import { nrtmFiles } from './nrtm-files.ts';

export const mirrorsModule: Module = {
  name: 'mirrors',
  tables: ['nrtmKey'],
  pages: (http, { db, config, profile }) => {
    nrtmFiles(http, { db, folder: config.nrtmDir, profile });
    dumpFiles(http, { folder: config.dumpDir, profile });
  },
};
