import { createPageViews, type ViewLoader } from '@portal/app-kit/page/page-views';
import type { PageOf } from '@portal/contract/pages';

/** A view for every page of the portal; a missing one does not compile. */
const loaders: Record<PageOf<'portal'>, ViewLoader> = {
  home: () => import('./pages/HomePage.tsx'),
  authCallback: () => import('./pages/NotFoundPage.tsx'),
  logout: () => import('./pages/LogoutPage.tsx'),
  accountSelection: () => import('./pages/AccountSelectionPage.tsx'),
  myAccounts: () => import('./pages/MyAccountsPage.tsx'),
  myPermissions: () => import('./pages/MyPermissionsPage.tsx'),
  accountContacts: () => import('./pages/AccountContactsPage.tsx'),
  accessRequests: () => import('./pages/AccessRequestsPage.tsx'),
  activityLogs: () => import('./pages/activity-logs/ActivityLogsPage.tsx'),
  documents: () => import('./pages/documents/DocumentsPage.tsx'),
  billing: () => import('./pages/billing/BillingPage.tsx'),
  jointBilling: () => import('./pages/billing/joint/JointBillingPage.tsx'),
  annualFeeCalculator: () => import('./pages/billing/fees/FeeCalculatorPage.tsx'),
  announcements: () => import('./pages/announcements/AnnouncementsPage.tsx'),
  upcomingEvents: () => import('./pages/events/UpcomingEventsPage.tsx'),
  attendedEvents: () => import('./pages/events/AttendedEventsPage.tsx'),
  settings: () => import('./pages/SettingsPage.tsx'),
  notifications: () => import('./pages/NotificationsPage.tsx'),
  holders: () => import('./pages/registry/MovedToDeskPage.tsx'),
  linkMembership: () => import('./pages/joining/LinkMembershipPage.tsx'),
  addAccount: () => import('./pages/applications/AddAccountPage.tsx'),
  acceptReferral: () => import('./pages/applications/AcceptReferralPage.tsx'),
  referralApplication: () => import('./pages/applications/ReferralApplicationPage.tsx'),
  acceptStaffInvitation: () => import('./pages/joining/AcceptStaffInvitationPage.tsx'),
  acceptInvitation: () => import('./pages/joining/AcceptInvitationPage.tsx'),
  organizationDetails: () => import('./pages/organisation/OrganisationPage.tsx'),
  approvals: () => import('./pages/approvals/ApprovalsPage.tsx'),
  castVote: () => import('./pages/voting/CastVotePage.tsx'),
  appointProxy: () => import('./pages/voting/AppointProxyPage.tsx'),
  nominate: () => import('./pages/voting/NominatePage.tsx'),
  nomination: () => import('./pages/voting/NominationPage.tsx'),
  candidates: () => import('./pages/voting/CandidatesPage.tsx'),
  votingHistory: () => import('./pages/voting/VotingHistoryPage.tsx'),
  proxyHistory: () => import('./pages/voting/ProxyHistoryPage.tsx'),
  tickets: () => import('./pages/tickets/TicketsPage.tsx'),
  ticket: () => import('./pages/tickets/TicketPage.tsx'),
  voting: () => import('./pages/voting/VotingPage.tsx'),
  organisationChanges: () => import('./pages/registry/MovedToDeskPage.tsx'),
  contactRequests: () => import('./pages/registry/MovedToDeskPage.tsx'),
  notFound: () => import('./pages/NotFoundPage.tsx'),
};

/** The views of the portal's pages; pages of the other applications have none. */
export const views = createPageViews(loaders);
