import { rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpkiChecklists } from '@portal/contract/rpki/checklists';
import { rpkiDesk } from '@portal/contract/rpki/desk';
import { rpki } from '@portal/contract/rpki/rpki';
import { rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import type { Config } from '../../config.ts';
import { afterReading, implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
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
import { verifyChecklist } from './checklists/checklist-verification.ts';
import { getChecklist, listChecklists, revokeChecklist, signChecklist } from './checklists/checklists.ts';
import { importSignature, requestSignature } from './authorities/trust-anchor-exchange.ts';
import { getOverview } from './desk-overview.ts';
import { listTroubled } from './authorities/troubled-authorities.ts';
import { getStatus, listHistory, previewRevocation, revokeRpki } from './hosted-rpki.ts';
import { checkRoas, listRoas } from './roas.ts';
import { introductionIn } from './children/introductions.ts';
import { disconnectAuthority, getSelfHosted } from './children/self-hosted.ts';

export const rpkiRoutes = (config: Config) =>
  implement(rpki, {
    getStatus,
    enable: ({ change, account }) => enableAnnounced(change, account, config),
    previewRevocation,
    revoke: ({ change, account, body }) => revokeRpki(change, account, body, config),
    listRoas,
    checkRoas,
    changeRoas: ({ change, account, body }) => changeRoasAnnounced(change, account, body),
    listHistory,
    startRollover: ({ change, account }) => startRolloverAnnounced(change, account, config),
    activateKey: ({ change, account }) => activateKeyAnnounced(change, account, config),
  });

export const rpkiSelfHostedRoutes = ({ config, clock }: Pick<ModuleContext, 'config' | 'clock'>) =>
  implement(rpkiSelfHosted, {
    getSelfHosted,
    connect: afterReading(
      ({ caller, body }) => introductionIn('childRequest', body.childRequest, { sender: caller.loginId, now: clock() }),
      ({ change, account }, introduction) => connectAnnounced(change, account, introduction, config),
    ),
    publishHere: afterReading(
      ({ caller, body }) => introductionIn('publisherRequest', body.publisherRequest, { sender: caller.loginId, now: clock() }),
      ({ change, account }, introduction) => publishHereAnnounced(change, account, introduction, config),
    ),
    disconnect: ({ change, account, body }) => disconnectAuthority(change, account, body, config),
  });

export const rpkiAspaRoutes = () =>
  implement(rpkiAspas, {
    listAspas,
    checkAspa,
    saveAspa: ({ change, account, body }) => saveAspaAnnounced(change, account, body),
    removeAspa: ({ change, account, params, body }) => removeAspaAnnounced(change, account, { ...body, aspaId: params.aspaId }),
  });

export const rpkiChecklistRoutes = (clock: () => Date) =>
  implement(rpkiChecklists, {
    listChecklists,
    getChecklist,
    signChecklist,
    revokeChecklist,
    verifyChecklist: afterReading(
      ({ read, caller, body }) => verifyChecklist(read, body, { now: clock(), sender: caller.loginId }),
      (_call, verified) => Promise.resolve(verified),
    ),
  });

export const rpkiDeskRoutes = () =>
  implement(rpkiDesk, {
    getOverview,
    listTroubled,
    requestSignature,
    importSignature,
  });
