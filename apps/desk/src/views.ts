import { persistently, reloadDocument } from '@portal/app-kit/place/load-code';
import type { PageName, PageOf } from '@portal/contract/pages';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/** A view for every page of the desk; a missing one does not compile. */
const loaders: Record<PageOf<'desk'>, () => Promise<{ default: ComponentType }>> = {
  deskRequests: () => import('./requests/RequestsPage.tsx'),
  deskAccounts: () => import('./accounts/FindAccountPage.tsx'),
  deskAccount: () => import('./accounts/AccountPage.tsx'),
  deskApprovals: () => import('./approvals/ApprovalsPage.tsx'),
  deskPools: () => import('./pools/PoolsPage.tsx'),
  deskMemberships: () => import('./memberships/MembershipsPage.tsx'),
  deskLameServers: () => import('./reverse-dns/LameServersPage.tsx'),
  deskPayments: () => import('./payments/PaymentsPage.tsx'),
  deskElections: () => import('./elections/ElectionsPage.tsx'),
  deskTickets: () => import('./tickets/TicketsPage.tsx'),
  deskEvents: () => import('./events/EventsPage.tsx'),
  deskAnnouncements: () => import('./announcements/AnnouncementsPage.tsx'),
  deskPeople: () => import('./people/FindPersonPage.tsx'),
};

export const views = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, lazy(persistently(load, reloadDocument))]),
) as Partial<Record<PageName, LazyExoticComponent<ComponentType>>>;
