import type { Views } from '@portal/app-kit/embedded-app';
import { rememberView } from './view-loader.ts';

/** Every built page of the resource manager and the file that draws it; a page of the site map without one does not compile. */
export const views: Views = {
  resourcesSummary: rememberView(() => import('./resources/SummaryPage.tsx')),
  ipv4: rememberView(() => import('./resources/Ipv4Page.tsx')),
  ipv6: rememberView(() => import('./resources/Ipv6Page.tsx')),
  asn: rememberView(() => import('./resources/AsnPage.tsx')),
  ipv4ShowList: rememberView(() => import('./resources/Ipv4RegistrationsPage.tsx')),
  ipv6ShowList: rememberView(() => import('./resources/Ipv6RegistrationsPage.tsx')),
  customerManagement: rememberView(() => import('./resources/CustomersPage.tsx')),
  prefix: rememberView(() => import('./resources/PrefixPage.tsx')),
  asNumber: rememberView(() => import('./resources/AsNumberPage.tsx')),
  whoisUpdates: rememberView(() => import('./whois/WhoisUpdatesPage.tsx')),
  whoisTextUpload: rememberView(() => import('./whois/TextUploadPage.tsx')),
  whoisContactDetailsUpdate: rememberView(() => import('./whois/ContactDetailsPage.tsx')),
  download: rememberView(() => import('./whois/DownloadPage.tsx')),
  whoisAttributeUpdate: rememberView(() => import('./whois/AttributeUpdatePage.tsx')),
  bulkWhoisUpdates: rememberView(() => import('./whois/BulkUpdatesPage.tsx')),
  tasks: rememberView(() => import('./whois/TasksPage.tsx')),
  bulkUpdateTasks: rememberView(() => import('./whois/BulkUpdateTasksPage.tsx')),
  taskWhoisModify: rememberView(() => import('./whois/TaskPage.tsx')),
  taskWhoisModifyObjects: rememberView(() => import('./whois/TaskPage.tsx')),
  taskEcho: rememberView(() => import('./whois/TaskPage.tsx')),
  irt: rememberView(() => import('./whois/IrtPage.tsx')),
  addIrt: rememberView(() => import('./whois/AddIrtPage.tsx')),
  addExistingIrt: rememberView(() => import('./whois/AddExistingIrtPage.tsx')),
  irtValidation: rememberView(() => import('./whois/IrtValidationPage.tsx')),
  maintainer: rememberView(() => import('./whois/MaintainerPage.tsx')),
};

/** Loads what is not on the screen yet, so that going there needs nothing but its data. A failure shows when the page is opened. */
export const loadViewsAhead = (): Promise<unknown> => Promise.allSettled(Object.values(views).map(load => load()));
