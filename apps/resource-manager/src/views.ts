import type { Views } from '@portal/app-kit';

/** Every built page of the resource manager and the file that draws it; a page of the site map without one does not compile. */
export const views: Views = {
  resourcesSummary: () => import('./resources/SummaryPage.tsx'),
  ipv4: () => import('./resources/Ipv4Page.tsx'),
  ipv6: () => import('./resources/Ipv6Page.tsx'),
  asn: () => import('./resources/AsnPage.tsx'),
  ipv4ShowList: () => import('./resources/Ipv4RegistrationsPage.tsx'),
  ipv6ShowList: () => import('./resources/Ipv6RegistrationsPage.tsx'),
};
