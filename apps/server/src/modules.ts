import { accountsModule } from './modules/accounts/index.ts';
import { activityLogModule } from './modules/activity-log/index.ts';
import { announcementsModule } from './modules/announcements/index.ts';
import { apiKeysModule } from './modules/api-keys/index.ts';
import { applicationsModule } from './modules/applications/index.ts';
import { ballotsModule } from './modules/ballots/index.ts';
import { bgpTablesModule } from './modules/bgp-tables/index.ts';
import { boardModule } from './modules/board/index.ts';
import { brandModule } from './modules/brand/index.ts';
import { billingModule } from './modules/billing/index.ts';
import { contactsModule } from './modules/contacts/index.ts';
import { customersModule } from './modules/customers/index.ts';
import { dataQualityModule } from './modules/data-quality/index.ts';
import { privacyModule } from './modules/privacy/index.ts';
import { reportPagesModule } from './modules/report-pages/index.ts';
import { documentsModule } from './modules/documents/index.ts';
import { electionsModule } from './modules/elections/index.ts';
import { encryptedBallotsModule } from './modules/encrypted-ballots/index.ts';
import { eventsModule } from './modules/events/index.ts';
import { helpPagesModule } from './modules/help-pages/index.ts';
import { featuresModule } from './modules/features/index.ts';
import { foreignSourcesModule } from './modules/foreign-sources/index.ts';
import { homeModule } from './modules/home/index.ts';
import { identityModule } from './modules/identity/index.ts';
import { legalModule } from './modules/legal/index.ts';
import { legalPagesModule } from './modules/legal-pages/index.ts';
import { lookingGlassModule } from './modules/looking-glass/index.ts';
import { mailModule } from './modules/mail/index.ts';
import { mirrorsModule } from './modules/mirrors/index.ts';
import { nirModule } from './modules/nir/index.ts';
import { notificationsModule } from './modules/notifications/index.ts';
import { logPagesModule } from './modules/log-pages/index.ts';
import { numbersPagesModule } from './modules/numbers-pages/index.ts';
import { organisationsModule } from './modules/organisations/index.ts';
import { policyModule } from './modules/policy/index.ts';
import { proposalsModule } from './modules/proposals/index.ts';
import { publicationModule } from './modules/publication/index.ts';
import { rdapModule } from './modules/rdap/index.ts';
import { publicPagesModule } from './modules/public-pages/index.ts';
import { recordsModule } from './modules/records/index.ts';
import { registryApiModule } from './modules/registry-api/index.ts';
import { requestsModule } from './modules/requests/index.ts';
import { resourcesModule } from './modules/resources/index.ts';
import { restraintsModule } from './modules/restraints/index.ts';
import { reverseDnsModule } from './modules/reverse-dns/index.ts';
import { rolesModule } from './modules/roles/index.ts';
import { routesModule } from './modules/routes/index.ts';
import { rpkiModule } from './modules/rpki/index.ts';
import { searchModule } from './modules/search/index.ts';
import { shellModule } from './modules/shell/index.ts';
import { staffModule } from './modules/staff/index.ts';
import { tasksModule } from './modules/tasks/index.ts';
import { statusPagesModule } from './modules/status-pages/index.ts';
import { ticketsModule } from './modules/tickets/index.ts';
import { webhooksModule } from './modules/webhooks/index.ts';
import { whoisModule } from './modules/whois/index.ts';
import { whoisPagesModule } from './modules/whois-pages/index.ts';
import type { Module } from './platform/module.ts';

/**
 * Everything the registry can do, in the order of the line-up: each module may import those before it. One more module is one more line here.
 */
export const modules: readonly Module[] = [
  accountsModule,
  mailModule,
  notificationsModule,
  identityModule,
  rolesModule,
  policyModule,
  featuresModule,
  legalModule,
  brandModule,
  documentsModule,
  contactsModule,
  restraintsModule,
  resourcesModule,
  organisationsModule,
  applicationsModule,
  billingModule,
  tasksModule,
  foreignSourcesModule,
  whoisModule,
  customersModule,
  nirModule,
  rdapModule,
  reverseDnsModule,
  bgpTablesModule,
  rpkiModule,
  routesModule,
  lookingGlassModule,
  mirrorsModule,
  recordsModule,
  publicPagesModule,
  legalPagesModule,
  whoisPagesModule,
  publicationModule,
  proposalsModule,
  requestsModule,
  ticketsModule,
  reportPagesModule,
  electionsModule,
  ballotsModule,
  encryptedBallotsModule,
  eventsModule,
  apiKeysModule,
  registryApiModule,
  announcementsModule,
  statusPagesModule,
  numbersPagesModule,
  logPagesModule,
  helpPagesModule,
  activityLogModule,
  webhooksModule,
  homeModule,
  searchModule,
  shellModule,
  boardModule,
  staffModule,
  dataQualityModule,
  privacyModule,
];
