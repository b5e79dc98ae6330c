import {
  tasks,
  whois,
  whoisCustomers,
  whoisAttributeValues,
  whoisContacts,
  whoisDownload,
  whoisExport,
  whoisConsents,
  whoisFollows,
  whoisIrts,
  type WhoisListing,
  whoisMaintainerUsers,
  whoisPresence,
  whoisRecords,
} from '@portal/contract';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import { implement, type Implementation } from '../../platform/endpoints.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { tableFile } from '../../platform/table-file.ts';
import type { Profile } from '../../profile.ts';
import { listAttributeValues } from './attribute-values.ts';
import { changeAlike } from './change-alike.ts';
import { complete } from './completion.ts';
import {
  addAssignment,
  editAssignment,
  getAssignment,
  importAssignments,
  listFreeSpace,
  returnAssignment,
} from './customer-assignments.ts';
import { follow, listFollows, unfollow } from './follows.ts';
import { attachIrt, enterCode, listMailboxes, sendCode } from './irt-mailboxes.ts';
import { answerConsent, askForConsent, listConsents, withdrawConsent } from './consents.ts';
import { getCustomer, listCustomers, saveCustomer } from './customers.ts';
import { listContacts } from './contact-objects.ts';
import { listIrts } from './irts.ts';
import { keepUsers } from './last-users.ts';
import {
  askToLinkMaintainer,
  choosePrincipalMaintainer,
  createMaintainer,
  grantMaintainer,
  linkMaintainer,
  listMaintainers,
  unlinkMaintainer,
} from './maintainers.ts';
import { countDownload, downloadObjects } from './object-download.ts';
import { listObjects, streamObjects } from './object-list.ts';
import { getObject, getVersion, listReferences, listVersions } from './object-page.ts';
import { beHere } from './presence.ts';
import { getRecord } from './resource-record.ts';
import {
  cancelTask,
  exportTasks,
  getTask,
  getTaskReport,
  listTaskItems,
  listTasks,
  retryTask,
  revertTask,
  startEcho,
} from './task-list.ts';
import { submitUpdates, uploadText } from './updates.ts';

/** Columns of the download: a promise to scripts. `maintainers` has blanks between. */
const objectFile = ['class', 'key', 'name', 'maintainers', 'version', 'changedAt', 'kept'] as const;

async function* fileRows(batches: AsyncIterable<WhoisListing[]>) {
  for await (const rows of batches)
    yield rows.map(row => ({ ...row, key: row.shown, maintainers: row.maintainers.join(' '), kept: row.kept ? 'yes' : 'no' }));
}

export const whoisRoutes = ({
  db,
  config,
  profile,
  clock,
}: {
  db: Database;
  config: Config;
  profile: Profile;
  clock: () => Date;
}): Implementation[] => {
  const { product } = profile;
  const mailing = { profile, appUrl: config.appUrl, box: openSecretBox(config) };
  return [
    implement(whois, {
      listObjects: ({ read, account, query }) => listObjects(read, account.accountName, query),
      getObject: ({ read, account, query }) => getObject(read, account, query),
      listVersions: ({ read, account, query }) => listVersions(read, account, query),
      getVersion: ({ read, account, query }) => getVersion(read, account, query),
      listReferences: ({ read, query }) => listReferences(read, query),
      previewUpdates: ({ change, account, body }) =>
        submitUpdates(change, account, body, { profile, dryRun: true, isFresh: false, limits: config }),
      submitUpdates: ({ change, account, body, isFresh }) =>
        submitUpdates(change, account, body, { profile, dryRun: false, isFresh, limits: config }),
      uploadText: ({ change, account, body, isFresh }) => uploadText(change, account, body, { profile, isFresh, limits: config }),
      changeAlike: ({ change, account, body }) => changeAlike(change, account, body, profile),
      complete: ({ read, account, query }) => complete(read, account.accountName, query),
      listMaintainers: ({ read, account }) => listMaintainers(read, account),
      createMaintainer: ({ change, account, body }) => createMaintainer(change, account, body, profile),
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
      askForConsent: ({ change, account, body, isFresh }) => askForConsent(change, account, body, { profile, isFresh }),
      answerConsent: ({ change, account, params, body, isFresh }) =>
        answerConsent(change, account, params.consentId, body, { profile, isFresh }),
      withdrawConsent: ({ change, account, params }) => withdrawConsent(change, account, params.consentId),
    }),
    implement(whoisMaintainerUsers, {
      keepUsers: async ({ change, account, params, body }) => ({
        ...(await keepUsers(change, account, params.maintainer, body.code)),
        ...(await listMaintainers(change, account)),
      }),
    }),
    implement(whoisPresence, { beHere: ({ account, query }) => beHere(db, account, query, clock()) }),
    implement(whoisIrts, {
      listMailboxes: ({ read, account }) => listMailboxes(read, account, config, clock()),
      sendCode: ({ change, account, body }) => sendCode(change, account, body.mailbox, { ...mailing, timers: config }),
      enterCode: ({ change, account, body }) => enterCode(change, account, body, { ...mailing, timers: config }),
      attachIrt: ({ change, account, body }) => attachIrt(change, account, body, profile),
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
    implement(whoisCustomers, {
      listCustomers: ({ read, account, query }) => listCustomers(read, account, query),
      getCustomer: ({ read, account, query }) => getCustomer(read, account, query.name),
      saveCustomer: ({ change, account, body }) => saveCustomer(change, account, body, profile),
      getAssignment: ({ read, account, params }) => getAssignment(read, account, params.assignmentId),
      listFreeSpace: ({ read, account, query }) => listFreeSpace(read, account, query),
      addAssignment: ({ change, account, body }) => addAssignment(change, account, body, profile),
      changeAssignment: ({ change, account, params, body }) => editAssignment(change, account, params.assignmentId, body, profile),
      returnAssignment: ({ change, account, params }) => returnAssignment(change, account, params.assignmentId, profile),
      importAssignments: ({ change, account, body }) => importAssignments(change, account, body, profile),
    }),
    implement(whoisRecords, { getRecord: ({ read, account, query }) => getRecord(read, account, query) }),
    implement(tasks, {
      listTasks: ({ read, account, query }) => listTasks(read, account, query, product),
      exportTasks: async ({ read, account, query }) => exportTasks(read, account, query),
      getTask: ({ read, account, params }) => getTask(read, account, params.taskId, product),
      listTaskItems: ({ read, account, params, query }) => listTaskItems(read, account, params.taskId, query),
      getTaskReport: ({ read, account, params, query }) => getTaskReport(read, account, params.taskId, query.format, profile),
      cancelTask: ({ change, account, params }) => cancelTask(change, account, params.taskId, product),
      retryTask: ({ change, account, params, isFresh }) => retryTask(change, account, params.taskId, isFresh),
      revertTask: ({ change, account, params, isFresh }) => revertTask(change, account, params.taskId, isFresh),
      echo: ({ change, body }) => startEcho(change, body),
    }),
  ];
};
