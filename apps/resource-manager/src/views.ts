import type { Views } from '@portal/app-kit/embedded/embedded-app';
import { rememberView } from './view-loader.ts';

/** Every built page of the resource manager and the file that draws it; a page of the site map without one does not compile. */
export const views: Views = {
  resourcesSummary: rememberView(() => import('./resources/holding/SummaryPage.tsx')),
  ipv4: rememberView(() => import('./resources/holding/Ipv4Page.tsx')),
  ipv6: rememberView(() => import('./resources/holding/Ipv6Page.tsx')),
  asn: rememberView(() => import('./resources/holding/AsnPage.tsx')),
  ipv4ShowList: rememberView(() => import('./resources/registrations/Ipv4RegistrationsPage.tsx')),
  ipv6ShowList: rememberView(() => import('./resources/registrations/Ipv6RegistrationsPage.tsx')),
  customerManagement: rememberView(() => import('./resources/customers/CustomersPage.tsx')),
  prefix: rememberView(() => import('./resources/record/PrefixPage.tsx')),
  asNumber: rememberView(() => import('./resources/record/AsNumberPage.tsx')),
  whoisUpdates: rememberView(() => import('./whois/objects/WhoisUpdatesPage.tsx')),
  whoisTextUpload: rememberView(() => import('./whois/updates/TextUploadPage.tsx')),
  whoisContactDetailsUpdate: rememberView(() => import('./whois/updates/ContactDetailsPage.tsx')),
  download: rememberView(() => import('./whois/objects/DownloadPage.tsx')),
  whoisAttributeUpdate: rememberView(() => import('./whois/updates/AttributeUpdatePage.tsx')),
  bulkWhoisUpdates: rememberView(() => import('./whois/updates/BulkUpdatesPage.tsx')),
  tasks: rememberView(() => import('./whois/tasks/TasksPage.tsx')),
  bulkUpdateTasks: rememberView(() => import('./whois/tasks/BulkUpdateTasksPage.tsx')),
  taskWhoisModify: rememberView(() => import('./whois/tasks/TaskPage.tsx')),
  taskWhoisModifyObjects: rememberView(() => import('./whois/tasks/TaskPage.tsx')),
  taskEcho: rememberView(() => import('./whois/tasks/TaskPage.tsx')),
  irt: rememberView(() => import('./whois/irt/IrtPage.tsx')),
  addIrt: rememberView(() => import('./whois/irt/AddIrtPage.tsx')),
  addExistingIrt: rememberView(() => import('./whois/irt/AddExistingIrtPage.tsx')),
  irtValidation: rememberView(() => import('./whois/irt/IrtValidationPage.tsx')),
  maintainer: rememberView(() => import('./whois/maintainers/MaintainerPage.tsx')),
  rpki: rememberView(() => import('./rpki/RpkiPage.tsx')),
};
