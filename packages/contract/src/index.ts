export * from './access-requests.ts';
export * from './access-reviews.ts';
export * from './account-closures.ts';
export * from './account-safety.ts';
export * from './accounts.ts';
export * from './activity-log.ts';
export * from './application-form.ts';
export * from './applications.ts';
export * from './billing.ts';
export * from './constants.ts';
export * from './contacts.ts';
export * from './desk.ts';
export * from './display-name.ts';
export * from './documents.ts';
export * from './election-windows.ts';
export * from './elections.ts';
export * from './email.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './file-kinds.ts';
export * from './flags.ts';
export * from './frozen-logins.ts';
export * from './helper-permissions.ts';
export * from './home.ts';
export * from './last-visit.ts';
export * from './invitations.ts';
export * from './link.ts';
export * from './navigation.ts';
export * from './notification-preferences.ts';
export * from './notifications.ts';
export * from './one-line.ts';
export * from './organisation-changes.ts';
export * from './organisations.ts';
export * from './pages.ts';
export * from './people.ts';
export * from './permissions.ts';
export * from './phone.ts';
export * from './proposals.ts';
export * from './referrals.ts';
export * from './record-address.ts';
export * from './registry-requests.ts';
export * from './resource-kinds.ts';
export * from './resources.ts';
export * from './several-lines.ts';
export * from './shell.ts';
export * from './short-count.ts';
export * from './staff.ts';
export * from './tasks.ts';
export * from './text-format.ts';
export * from './trace.ts';
export * from './voting.ts';
export * from './voting-tiers.ts';
export * from './whois.ts';
export * from './whois-attribute-values.ts';
export * from './whois-contacts.ts';
export * from './whois-download.ts';
export * from './whois-customers.ts';
export * from './whois-export.ts';
export * from './whois-consents.ts';
export * from './whois-follows.ts';
export * from './whois-irts.ts';
export * from './whois-maintainer-users.ts';
export * from './whois-presence.ts';
export * from './whois-publication.ts';
export * from './whois-records.ts';

import { accessRequests } from './access-requests.ts';
import { accessReviews } from './access-reviews.ts';
import { accountClosures } from './account-closures.ts';
import { accountSafety } from './account-safety.ts';
import { accounts } from './accounts.ts';
import { activityLog } from './activity-log.ts';
import { applications } from './applications.ts';
import { billing } from './billing.ts';
import { contacts } from './contacts.ts';
import { desk } from './desk.ts';
import { documents, files } from './documents.ts';
import { conferences, elections } from './elections.ts';
import type { Endpoint } from './endpoint.ts';
import { frozenLogins } from './frozen-logins.ts';
import { home } from './home.ts';
import { lastVisit } from './last-visit.ts';
import { invitations } from './invitations.ts';
import { notificationAddresses, notificationPreferences } from './notification-preferences.ts';
import { notifications } from './notifications.ts';
import { organisationChanges } from './organisation-changes.ts';
import { organisations } from './organisations.ts';
import { people } from './people.ts';
import { proposals } from './proposals.ts';
import { referrals } from './referrals.ts';
import { registryRequests } from './registry-requests.ts';
import { resources } from './resources.ts';
import { shell } from './shell.ts';
import { staff } from './staff.ts';
import { tasks } from './tasks.ts';
import { voting } from './voting.ts';
import { whois } from './whois.ts';
import { whoisAttributeValues } from './whois-attribute-values.ts';
import { whoisContacts } from './whois-contacts.ts';
import { whoisDownload } from './whois-download.ts';
import { whoisCustomers } from './whois-customers.ts';
import { whoisExport } from './whois-export.ts';
import { whoisConsents } from './whois-consents.ts';
import { whoisMaintainerUsers } from './whois-maintainer-users.ts';
import { whoisPresence } from './whois-presence.ts';
import { whoisFollows } from './whois-follows.ts';
import { whoisIrts } from './whois-irts.ts';
import { whoisPublication } from './whois-publication.ts';
import { whoisRecords } from './whois-records.ts';

/** Every endpoint there is, by domain; the server mounts this list and nothing else. Web pages import their own domain's file, not this one. */
export const api = {
  shell,
  people,
  notifications: { ...notifications, ...notificationPreferences },
  notificationAddresses,
  accounts,
  accountSafety,
  files,
  documents,
  contacts,
  invitations,
  accessRequests,
  accessReviews,
  registryRequests,
  organisations,
  organisationChanges,
  accountClosures,
  billing,
  applications,
  referrals,
  resources,
  whois,
  whoisAttributeValues,
  whoisContacts,
  whoisDownload,
  whoisCustomers,
  whoisExport,
  whoisConsents,
  whoisMaintainerUsers,
  whoisPresence,
  whoisFollows,
  whoisIrts,
  whoisPublication,
  whoisRecords,
  tasks,
  voting,
  elections,
  conferences,
  activityLog,
  home,
  lastVisit,
  frozenLogins,
  staff,
  desk,
  proposals,
};

/** All endpoints in one list, for the whole-surface tests, the API description and the generated docs. */
export const allEndpoints: Endpoint[] = Object.values(api).flatMap(group => Object.values(group) as Endpoint[]);
