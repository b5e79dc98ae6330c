import { flagKeys } from '@portal/contract';
import { buildNavigation } from '@portal/contract/navigation';
import {
  type Environment,
  type FeatureFlags,
  type NavigationItem,
  navigationKey,
  type shell,
  type Theme,
} from '@portal/contract/shell/shell';
import { portalNameOf } from '../../brand.ts';
import type { Config } from '../../config.ts';
import { featuresOfEveryone } from '../../platform/features.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';

/** Returns what the portal needs to know before sign-in (specification, section 3, environment config). */
export function environmentOf(config: Config, profile: Profile, release: string): Environment {
  return {
    registryName: profile.registryName,
    product: profile.product,
    portalName: portalNameOf(profile),
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

export const getEnvironment = async ({ registry: { config, profile, release } }: Act<typeof shell.getEnvironment>): Promise<Environment> =>
  environmentOf(config, profile, release);

/** Which features are on for everyone. */
export async function getFeatureFlags({ read, registry: { config } }: Act<typeof shell.getFeatureFlags>): Promise<FeatureFlags> {
  const on = await featuresOfEveryone(read, config);
  return Object.fromEntries(flagKeys.map(flag => [flag, on.has(flag)])) as FeatureFlags;
}

/** The contextual navigation under its specified key. */
export const getNavigation = async ({
  caller,
  registry: {
    profile: { product },
  },
}: Act<typeof shell.getNavigation>): Promise<Record<string, NavigationItem[]>> => ({
  [navigationKey(product)]: buildNavigation(product, caller),
});

/** The theme links this registry ships; another file is named by THEME_URL. The last membership link is logout (specification, section 2). */
export function themeOf(config: Config, profile: Profile): Theme {
  return {
    omnibarQuickLinks: [
      ...(config.dashboardWebHost === '' ? [] : [{ label_en_us: 'Dashboard', link: `https://${config.dashboardWebHost}/` }]),
      { label_en_us: 'Whois', link: '/whois' },
      { label_en_us: 'Status', link: '/status' },
      { label_en_us: 'Help', link: profile.helpUrl || '/help' },
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
      { label_en_us: 'Numbers', link: '/numbers' },
      { label_en_us: 'Terms', link: profile.whoisTermsUrl },
      { label_en_us: 'Privacy', link: profile.privacyUrl || '/privacy' },
      ...(profile.legalUrl === '' ? [] : [{ label_en_us: 'Legal notice', link: profile.legalUrl }]),
      { label_en_us: 'Accessibility', link: '/accessibility' },
      { label_en_us: 'Support', link: config.supportUrl },
    ],
  };
}

export const getTheme = async ({ registry: { config, profile } }: Act<typeof shell.getTheme>): Promise<Theme> => themeOf(config, profile);
