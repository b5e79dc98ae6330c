import { buildNavigation } from '@portal/contract/navigation';
import { type Environment, type FeatureFlags, type NavigationItem, navigationKey, type Theme } from '@portal/contract/shell/shell';
import type { Config } from '../../config.ts';
import type { Profile } from '../../profile.ts';

/** Returns what the portal needs to know before sign-in (specification, section 3, environment config). */
export function environmentOf(config: Config, profile: Profile, release: string): Environment {
  return {
    registryName: profile.registryName,
    product: profile.product,
    issuerUri: config.issuerUri,
    clientId: config.clientId,
    scopes: config.scopes.join(','),
    logoutUrl: config.logoutUrl,
    singleLogoutUrl: config.singleLogoutUrl,
    profileUrl: config.profileUrl,
    appUrl: config.appUrl,
    contentSiteUrl: config.contentSiteUrl,
    membershipExternalRootUrl: config.membershipExternalRootUrl,
    supportUrl: config.supportUrl,
    supportEmail: profile.supportEmail,
    themeUrl: config.themeUrl,
    resourceManagerUrl: config.resourceManagerUrl,
    eventsCalendarUrl: config.eventsCalendarUrl,
    dashboardServerHost: config.dashboardServerHost,
    dashboardWebHost: config.dashboardWebHost,
    errorReporting: {
      enabled: config.errorReportingDsn !== '',
      dsn: config.errorReportingDsn,
      environment: config.errorReportingEnvironment || config.mode,
      release,
      sendDefaultPii: config.errorReportingPersonalData,
    },
    chat: config.chatConfig,
    monitorSession: config.monitorSession,
    renewMode: config.renewMode,
    stepUpAcr: config.stepUpAcr,
    mfaAmr: config.mfaAmr,
    mfaAcr: config.mfaAcr,
    claimNames: config.claimNames,
    registryTimeZone: profile.timeZone,
    demo: config.demoMode,
    isSandbox: config.sandbox,
    sandboxUrl: config.sandboxUrl,
  };
}

/** Which features are switched on. */
export const featureFlags = (config: Config): FeatureFlags => ({
  renewalquote: config.flagRenewalQuote,
  contactmanagement: config.flagContactManagement,
});

/** The contextual navigation under its specified key. */
export const navigationFor = (profile: Profile, person: { staff: boolean }): Record<string, NavigationItem[]> => ({
  [navigationKey(profile.product)]: buildNavigation(profile.product, person),
});

/** The theme links this registry ships; another file is named by THEME_URL. The last membership link is logout (specification, section 2). */
export function themeOf(config: Config, profile: Profile): Theme {
  return {
    omnibarQuickLinks: [
      ...(config.dashboardWebHost === '' ? [] : [{ label_en_us: 'Dashboard', link: `https://${config.dashboardWebHost}/` }]),
      { label_en_us: 'Find resources', link: '/resources/summary' },
      { label_en_us: 'Events', link: '/events/upcoming-events' },
      { label_en_us: 'Help', link: config.supportUrl },
    ],
    omnibarCurrentUserAccountLinks: [
      { label_en_us: 'Personal settings', link: '/settings' },
      ...(config.profileUrl === '/settings' ? [] : [{ label_en_us: 'Your login', link: config.profileUrl }]),
      { label_en_us: 'My accounts', link: '/member-account-settings/my-accounts' },
    ],
    omnibarCurrentUserMembershipLinks: [
      ...(config.membershipExternalRootUrl === '' ? [] : [{ label_en_us: 'About membership', link: config.membershipExternalRootUrl }]),
      { label_en_us: 'My permissions', link: '/member-account-settings/my-permissions' },
      { label_en_us: 'Billing', link: '/member-account-settings/billing' },
      { label_en_us: 'Log out', link: config.singleLogoutUrl, isLogout: true },
    ],
    footerLogo: { label_en_us: profile.registryName, link: config.contentSiteUrl || '/' },
    footerSocialLinks: [],
    footerAsideLinks: [
      { label_en_us: 'API', link: '/api/openapi.json' },
      { label_en_us: 'Support', link: config.supportUrl },
    ],
  };
}
