import type { Module } from '../../platform/module.ts';
import { reportPagesWords } from './activity-words.ts';
import { reportPages } from './pages.ts';
import { sendReport } from './report-act.ts';
import { reportPagesTexts } from './mail-texts.ts';

export const reportPagesModule: Module = {
  name: 'report-pages',
  mailTexts: reportPagesTexts,
  pages: { readsFrom: 'primary', serve: reportPages },
  addressActs: () => [sendReport],
  words: reportPagesWords,
};
