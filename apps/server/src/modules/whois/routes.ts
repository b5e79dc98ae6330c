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
import { whois, type WhoisListing } from '@portal/contract/whois/whois';
import type { Config } from '../../config.ts';
import { afterReading, implement, type Implementation } from '../../platform/http/endpoints.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { tableFile } from '../../platform/table-file.ts';
import type { Profile } from '../../profile.ts';
import { reclaimObject } from './authority/reclaim.ts';
import { listAttributeValues } from './objects/attribute-values.ts';
import { bulkChange } from './updates/bulk-change.ts';
import { complete } from './objects/completion.ts';
import { follow, listFollows, unfollow } from './follows/follows.ts';
import { attachIrt, enterCode, listMailboxes, sendCode } from './irt/irt-mailboxes.ts';
import { answerConsent, askForConsent, listConsents, withdrawConsent } from './consents/consents.ts';
import { listContacts } from './objects/contact-objects.ts';
import { listIrts } from './irt/irts.ts';
import { keepMaintainerUsers } from './maintainers/last-users.ts';
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
import { listObjects, streamObjects } from './objects/object-list.ts';
import { getObject, getVersion, listReferences, listVersions } from './objects/object-page.ts';
import { reportPresence } from './objects/presence.ts';
import { listSharedHandles } from './objects/shared-handles.ts';
import { submitUpdates, updatesApart, uploadText } from './updates/updates.ts';

/** Columns of the download: a promise to scripts. `maintainers` has blanks between. */
const objectFile = ['class', 'key', 'name', 'maintainers', 'version', 'changedAt', 'kept'] as const;

async function* fileRows(batches: AsyncIterable<WhoisListing[]>) {
  for await (const rows of batches)
    yield rows.map(row => ({ ...row, key: row.shown, maintainers: row.maintainers.join(' '), kept: row.kept ? 'yes' : 'no' }));
}

export const whoisRoutes = ({ config, profile, clock }: { config: Config; profile: Profile; clock: () => Date }): Implementation[] => {
  const mailing = { profile, appUrl: config.appUrl, box: openSecretBox(config) };
  const writing = { profile, limits: config };
  return [
    implement(whois, {
      listObjects: ({ read, account, query }) => listObjects(read, account.accountName, query),
      getObject: ({ read, account, query }) => getObject(read, account, query),
      listVersions: ({ read, account, query }) => listVersions(read, account, query),
      getVersion: ({ read, account, query }) => getVersion(read, account, query),
      listReferences: ({ read, query }) => listReferences(read, query),
      previewUpdates: ({ change, account, body }) => submitUpdates(change, account, body, { profile, dryRun: true, limits: config }),
      submitUpdates: ({ change, account, body }) => submitUpdates(change, account, body, { profile, dryRun: false, limits: config }),
      uploadText: afterReading(
        call => updatesApart(senderOf(call), call.body),
        ({ change, account, body }, updates) => uploadText(change, account, updates, body, writing),
      ),
      bulkChange: ({ change, account, body }) => bulkChange(change, account, body, writing),
      complete: ({ read, account, query }) => complete(read, account.accountName, query),
      listMaintainers: ({ read, account }) => listMaintainers(read, account),
      createMaintainer: ({ change, account, body }) => createMaintainer(change, account, body, writing),
      askToLinkMaintainer: ({ change, account, body, caller }) =>
        askToLinkMaintainer(change, account, body.maintainer, { caller, ...mailing }),
      linkMaintainer: ({ change, account, body }) => linkMaintainer(change, account, body),
      unlinkMaintainer: ({ change, account, params }) => unlinkMaintainer(change, account, params.maintainer),
      choosePrincipalMaintainer: ({ change, account, params }) => choosePrincipalMaintainer(change, account, params.maintainer),
      grantMaintainer: ({ change, account, params, body, caller }) =>
        grantMaintainer(change, account, params.maintainer, body.contactIds, { caller, ...mailing }),
      listIrts: ({ read, account }) => listIrts(read, account),
    }),
    implement(whoisConsents, {
      listConsents: ({ read, account }) => listConsents(read, account),
      askForConsent: ({ change, account, body }) => askForConsent(change, account, body, writing),
      answerConsent: ({ change, account, params, body }) => answerConsent(change, account, params.consentId, body, writing),
      withdrawConsent: ({ change, account, params }) => withdrawConsent(change, account, params.consentId),
    }),
    implement(whoisMaintainerUsers, {
      keepMaintainerUsers: async ({ change, account, params, body }) => ({
        ...(await keepMaintainerUsers(change, account, params.maintainer, body.code)),
        ...(await listMaintainers(change, account)),
      }),
    }),
    implement(whoisReclaims, {
      reclaimObject: ({ change, account, body }) => reclaimObject(change, account, body, writing),
    }),
    implement(whoisPresence, { reportPresence: ({ unrecorded, account, body }) => reportPresence({ unrecorded }, account, body, clock()) }),
    implement(whoisSharedHandles, { listSharedHandles: ({ read }) => listSharedHandles(read) }),
    implement(whoisIrts, {
      listMailboxes: ({ read, account }) => listMailboxes(read, account, config, clock()),
      sendCode: ({ change, account, body }) => sendCode(change, account, body.mailbox, { ...mailing, timers: config }),
      enterCode: ({ change, account, body }) => enterCode(change, account, body, { ...mailing, timers: config }),
      attachIrt: ({ change, account, body }) => attachIrt(change, account, body, writing),
    }),
    implement(whoisAttributeValues, {
      listAttributeValues: ({ read, account, query }) => listAttributeValues(read, account.accountName, query.attribute),
    }),
    implement(whoisContacts, { listContacts: ({ read, account }) => listContacts(read, account.accountName) }),
    implement(whoisDownload, {
      countDownload: ({ read, account, query }) => countDownload(read, account, query),
      downloadObjects: async ({ read, account, query }) => downloadObjects(read, account, query),
    }),
    implement(whoisExport, {
      exportObjects: async ({ read, account, query }) =>
        tableFile(
          `${account.accountName}-whois-objects`,
          query.format,
          objectFile,
          fileRows(streamObjects(read, account.accountName, query)),
        ),
    }),
    implement(whoisFollows, {
      listFollows: ({ read, account }) => listFollows(read, account),
      follow: ({ change, account, body }) => follow(change, account, body),
      unfollow: ({ change, account, params }) => unfollow(change, account, params.followId),
    }),
  ];
};
