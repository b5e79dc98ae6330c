import { legal } from '@portal/contract/legal/legal';
import { ownTexts } from '@portal/contract/legal/own-texts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { acceptText, acceptTextForAccount, listAcceptedTexts, listTextsToAccept } from './acceptances.ts';
import { confirmLegalDraft, discardLegalDraft, saveLegalDraft, startLegalText, withdrawLegalVersion } from './drafts.ts';
import { exportAcceptances, getLegalText, listAcceptances, listLegalTexts } from './legal-desk.ts';

export const legalRoutes: readonly Implementation[] = [
  implement(legal, {
    listLegalTexts,
    getLegalText,
    startLegalText,
    saveLegalDraft,
    discardLegalDraft,
    confirmLegalDraft,
    withdrawLegalVersion,
    listAcceptances,
    exportAcceptances,
  }),
  implement(ownTexts, { listTextsToAccept, listAcceptedTexts, acceptText, acceptTextForAccount }),
];
