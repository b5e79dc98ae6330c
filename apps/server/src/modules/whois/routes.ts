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

export const whoisRoutes = ({ config, profile }: { config: Config; profile: Profile }): Implementation[] => {
  const writing = { profile, limits: config };
  return [
    implement(whois, {
      listObjects,
      getObject,
      listVersions,
      getVersion,
      listReferences,
      previewUpdates: ({ change, account, body }) => submitUpdates(change, account, body, { profile, dryRun: true, limits: config }),
      submitUpdates: ({ change, account, body }) => submitUpdates(change, account, body, { profile, dryRun: false, limits: config }),
      uploadText: afterReading(
        call => updatesApart(senderOf(call), call.body),
        ({ change, account, body }, updates) => uploadText(change, account, updates, body, writing),
      ),
      bulkChange: ({ change, account, body }) => bulkChange(change, account, body, writing),
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
    implement(whoisConsents, {
      listConsents,
      askForConsent,
      answerConsent,
      withdrawConsent,
    }),
    implement(whoisMaintainerUsers, {
      keepMaintainerUsers: async ({ change, account, params, body }) => ({
        ...(await keepMaintainerUsers(change, account, params.maintainer, body.code)),
        ...(await listMaintainers({ read: change, account })),
      }),
    }),
    implement(whoisReclaims, {
      reclaimObject,
    }),
    implement(whoisPresence, { reportPresence }),
    implement(whoisSharedHandles, { listSharedHandles }),
    implement(whoisIrts, {
      listMailboxes,
      sendCode,
      enterCode,
      attachIrt,
    }),
    implement(whoisAttributeValues, {
      listAttributeValues,
    }),
    implement(whoisContacts, { listContacts }),
    implement(whoisDownload, {
      countDownload,
      downloadObjects,
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
      listFollows,
      follow,
      unfollow,
    }),
  ];
};
