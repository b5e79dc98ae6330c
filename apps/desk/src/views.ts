import { createPageViews, type ViewLoader } from '@portal/app-kit/page/page-views';
import type { PageOf } from '@portal/contract/pages';

/** A view for every page of the desk; a missing one does not compile. */
const loaders: Record<PageOf<'desk'>, ViewLoader> = {
  deskHome: () => import('./home/HomePage.tsx'),
  deskRequests: () => import('./requests/RequestsPage.tsx'),
  deskCase: () => import('./requests/CasePage.tsx'),
  deskAccounts: () => import('./accounts/FindAccountPage.tsx'),
  deskAccount: () => import('./accounts/AccountPage.tsx'),
  deskApprovals: () => import('./requests/ApprovalsPage.tsx'),
  deskPools: () => import('./pools/PoolsPage.tsx'),
  deskPool: () => import('./pools/PoolPage.tsx'),
  deskBoard: () => import('./board/BoardPage.tsx'),
  deskBrand: () => import('./brand/BrandPage.tsx'),
  deskPolicy: () => import('./policy/PolicyPage.tsx'),
  deskFees: () => import('./fees/FeesPage.tsx'),
  deskMemberships: () => import('./memberships/MembershipsPage.tsx'),
  deskBooks: () => import('./books/BooksPage.tsx'),
  deskLameServers: () => import('./reverse-dns/LameServersPage.tsx'),
  deskDataQuality: () => import('./data-quality/DataQualityPage.tsx'),
  deskFeatures: () => import('./features/FeaturesPage.tsx'),
  deskLegal: () => import('./legal/LegalPage.tsx'),
  deskPrivacy: () => import('./privacy/PrivacyPage.tsx'),
  deskMailTexts: () => import('./mail-texts/MailTextsPage.tsx'),
  deskRegistryData: () => import('./registry-data/RegistryDataPage.tsx'),
  deskRpki: () => import('./rpki/RpkiPage.tsx'),
  deskSetAside: () => import('./set-aside/SetAsidePage.tsx'),
  deskPayments: () => import('./payments/PaymentsPage.tsx'),
  deskElections: () => import('./elections/ElectionsPage.tsx'),
  deskTickets: () => import('./tickets/TicketsPage.tsx'),
  deskEvents: () => import('./events/EventsPage.tsx'),
  deskAnnouncements: () => import('./announcements/AnnouncementsPage.tsx'),
  deskReplyTemplates: () => import('./replies/ReplyTemplatesPage.tsx'),
  deskStaff: () => import('./staff/StaffPage.tsx'),
  deskOwnRoles: () => import('./staff/OwnRolesPage.tsx'),
  deskPeople: () => import('./people/FindPersonPage.tsx'),
};

export const views = createPageViews(loaders);
