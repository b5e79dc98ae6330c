import { whoisAttributeValues } from '@portal/contract/whois/attribute-values';
import { whoisConsents } from '@portal/contract/whois/consents';
import { whoisContacts } from '@portal/contract/whois/contacts';
import { whoisDownload } from '@portal/contract/whois/download';
import { whoisExport } from '@portal/contract/whois/export';
import { whoisFollows } from '@portal/contract/whois/follows';
import { whoisIrts } from '@portal/contract/whois/irts';
import { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import { whoisReclaims } from '@portal/contract/whois/reclaims';
import { whoisPresence } from '@portal/contract/whois/presence';
import { whoisSharedHandles } from '@portal/contract/whois/shared-handles';
import { whois } from '@portal/contract/whois/whois';
import { afterReading, implement, type Implementation } from '../../platform/http/endpoints.ts';
import { reclaimObject } from './updates/reclaim.ts';
import { listAttributeValues } from './objects/attribute-values.ts';
import { bulkChange } from './updates/bulk-change.ts';
import { complete } from './objects/completion.ts';
import { follow, listFollows, unfollow } from './follows/follows.ts';
import { attachIrt, enterCode, listMailboxes, sendCode } from './irt/irt-mailboxes.ts';
import { answerConsent, askForConsent, listConsents, withdrawConsent } from './updates/consents.ts';
import { listContacts } from './objects/contact-objects.ts';
import { listIrts } from './irt/irts.ts';
import { keepMaintainerUsers } from './maintainers/kept-users.ts';
import {
  askToLinkMaintainer,
  choosePrincipalMaintainer,
  createMaintainer,
  grantMaintainer,
  linkMaintainer,
  listMaintainers,
  unlinkMaintainer,
} from './maintainers/maintainers.ts';
import { countDownload, downloadObjects } from './objects/object-download.ts';
import { exportObjects, listObjects } from './objects/object-list.ts';
import { getObject, getVersion, listReferences, listVersions } from './objects/object-page.ts';
import { reportPresence } from './objects/presence.ts';
import { listSharedHandles } from './objects/shared-handles.ts';
import { previewUpdates, submitUpdates, updatesOf, uploadText } from './updates/updates.ts';

export const whoisRoutes: readonly Implementation[] = [
  implement(whois, {
    listObjects,
    getObject,
    listVersions,
    getVersion,
    listReferences,
    previewUpdates,
    submitUpdates,
    uploadText: afterReading(updatesOf, uploadText),
    bulkChange,
    complete,
    listMaintainers,
    createMaintainer,
    askToLinkMaintainer,
    linkMaintainer,
    unlinkMaintainer,
    choosePrincipalMaintainer,
    grantMaintainer,
    listIrts,
  }),
  implement(whoisConsents, { listConsents, askForConsent, answerConsent, withdrawConsent }),
  implement(whoisMaintainerUsers, { keepMaintainerUsers }),
  implement(whoisReclaims, { reclaimObject }),
  implement(whoisPresence, { reportPresence }),
  implement(whoisSharedHandles, { listSharedHandles }),
  implement(whoisIrts, { listMailboxes, sendCode, enterCode, attachIrt }),
  implement(whoisAttributeValues, { listAttributeValues }),
  implement(whoisContacts, { listContacts }),
  implement(whoisDownload, { countDownload, downloadObjects }),
  implement(whoisExport, { exportObjects }),
  implement(whoisFollows, { listFollows, follow, unfollow }),
];
