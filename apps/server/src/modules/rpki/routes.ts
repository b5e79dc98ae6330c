import { rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpkiChecklists } from '@portal/contract/rpki/checklists';
import { rpkiDesk } from '@portal/contract/rpki/desk';
import { rpki } from '@portal/contract/rpki/rpki';
import { rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import {
  activateKeyAnnounced,
  changeRoasAnnounced,
  connectAnnounced,
  enableAnnounced,
  publishHereAnnounced,
  removeAspaAnnounced,
  saveAspaAnnounced,
  startRolloverAnnounced,
} from './announced-changes.ts';
import { checkAspa, listAspas } from './aspas.ts';
import { verifiedChecklist } from './checklists/checklist-verification.ts';
import { getChecklist, listChecklists, revokeChecklist, signChecklist } from './checklists/checklists.ts';
import { importSignature, requestSignature } from './repository/trust-anchor-exchange.ts';
import { getOverview } from './desk-overview.ts';
import { listTroubled } from './repository/troubled-authorities.ts';
import { authorityCases, getStatus, listHistory, previewRevocation, revokeRpki } from './hosted-rpki.ts';
import { checkRoas, listRoas } from './roas.ts';
import { childRequestIn, publisherRequestIn } from './children/introductions.ts';
import { childCases, disconnectAuthority, getSelfHosted } from './children/self-hosted.ts';

export const rpkiRoutes: readonly Implementation[] = [
  implement(
    rpki,
    {
      getStatus,
      enable: enableAnnounced,
      previewRevocation,
      revoke: revokeRpki,
      listRoas,
      checkRoas,
      changeRoas: changeRoasAnnounced,
      listHistory,
      startRollover: startRolloverAnnounced,
      activateKey: activateKeyAnnounced,
    },
    authorityCases,
  ),
  implement(rpkiDesk, { getOverview, listTroubled, requestSignature, importSignature }),
  implement(
    rpkiSelfHosted,
    {
      getSelfHosted,
      connect: afterReading(childRequestIn, connectAnnounced),
      publishHere: afterReading(publisherRequestIn, publishHereAnnounced),
      disconnect: disconnectAuthority,
    },
    childCases,
  ),
  implement(rpkiAspas, { listAspas, checkAspa, saveAspa: saveAspaAnnounced, removeAspa: removeAspaAnnounced }),
  implement(rpkiChecklists, {
    listChecklists,
    getChecklist,
    signChecklist,
    revokeChecklist,
    verifyChecklist: afterReading(verifiedChecklist, (_act, verified) => Promise.resolve(verified)),
  }),
];
