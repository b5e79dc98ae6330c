import { mailTexts } from '@portal/contract/mail/mail-texts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getMailText, listMailTexts, previewMailText, saveMailText, sendTestMail, useProgramText } from './changed-texts.ts';

export const mailRoutes: readonly Implementation[] = [
  implement(mailTexts, { listMailTexts, getMailText, previewMailText, saveMailText, useProgramText, sendTestMail }),
];
