import * as z from 'zod/mini';
import { anyone, endpoint, group, signedIn } from '../endpoint.ts';
import { type Flag, flagKeys } from '../flags.ts';

/** Environment fields of the specification, section 3, and how bearers, renewal and second factors are checked. Must not hold secrets. */
export const Environment = z.object({
  registryName: z.string(),
  /** `Registry`: addresses of pages contain it. */
  product: z.string(),
  /** `MyRegistry`: what the portal is called. */
  portalName: z.string(),
  issuerUri: z.string(),
  clientId: z.string(),
  /** Comma-separated. */
  scopes: z.string(),
  logoutUrl: z.string(),
  singleLogoutUrl: z.string(),
  profileUrl: z.string(),
  appUrl: z.string(),
  contentSiteUrl: z.string(),
  membershipExternalRootUrl: z.string(),
  supportUrl: z.string(),
  /** The address members write to for help. */
  supportEmail: z.string(),
  themeUrl: z.string(),
  resourceManagerUrl: z.string(),
  eventsCalendarUrl: z.string(),
  dashboardServerHost: z.string(),
  dashboardWebHost: z.string(),
  errorReporting: z.object({
    enabled: z.boolean(),
    dsn: z.string(),
    environment: z.string(),
    release: z.string(),
    sendDefaultPii: z.boolean(),
  }),
  /** null: no chat. */
  chat: z.nullable(
    z.object({
      baseCoreURL: z.string(),
      communityEndpointURL: z.string(),
      orgId: z.string(),
      eswConfigDevName: z.string(),
      mergeSettings: z.record(z.string(), z.unknown()),
      gslbBaseURL: z.string(),
    }),
  ),
  /** auto: watch the provider's session only when it is same-site with the portal. */
  monitorSession: z.enum(['auto', 'on', 'off']),
  renewMode: z.enum(['iframe', 'refresh-token']),
  stepUpAcr: z.string(),
  mfaAmr: z.array(z.string()),
  mfaAcr: z.array(z.string()),
  /** Provider-specific names of claims (specification, section 3): `{ userid: 'preferred_username' }`. */
  claimNames: z.record(z.string(), z.string()),
  /** Official time zone of the registry (IANA name), shown where rules depend on it. */
  registryTimeZone: z.string(),
  demo: z.boolean(),
  /** True for a copy of the registry to try things in, from which nothing is published. */
  isSandbox: z.boolean(),
  /** Address of such a copy; empty: none. */
  sandboxUrl: z.string(),
});
export type Environment = z.infer<typeof Environment>;

/** Item of the contextual navigation (specification, section 3). */
export interface NavigationItem {
  label_en_us: string;
  link?: string | undefined;
  children?: NavigationItem[] | undefined;
  restriction?: 'noMembershipAccount' | 'hasMembershipAccount' | undefined;
  /** Left out for an account that doesn’t have this feature. */
  feature?: Flag | undefined;
}
export const NavigationItem: z.ZodMiniType<NavigationItem> = z.object({
  label_en_us: z.string(),
  link: z.optional(z.string()),
  restriction: z.optional(z.enum(['noMembershipAccount', 'hasMembershipAccount'])),
  feature: z.optional(z.enum(flagKeys)),
  get children() {
    return z.optional(z.array(NavigationItem));
  },
});

const ThemeLink = z.object({ label_en_us: z.string(), link: z.string() });
/** Theme links (specification, section 3), fetched from a public JSON file. */
export const Theme = z.object({
  omnibarQuickLinks: z.array(ThemeLink),
  omnibarCurrentUserAccountLinks: z.array(ThemeLink),
  omnibarCurrentUserMembershipLinks: z.array(z.object({ label_en_us: z.string(), link: z.string(), isLogout: z.optional(z.boolean()) })),
  footerLogo: ThemeLink,
  footerSocialLinks: z.array(z.object({ label_en_us: z.string(), link: z.string(), iconClass: z.string() })),
  footerAsideLinks: z.array(ThemeLink),
});
export type Theme = z.infer<typeof Theme>;

/** Each feature, and whether everyone has it. */
export const FeatureFlags = z.object({
  renewalquote: z.boolean(),
  contactmanagement: z.boolean(),
  zonefiles: z.boolean(),
  ipv6oneclick: z.boolean(),
  checklists: z.boolean(),
} satisfies Record<Flag, unknown>);
export type FeatureFlags = z.infer<typeof FeatureFlags>;

/** Key of the navigation in the answer: `myRegistryPortal` for product Registry (specification, section 7: my{product}Portal). */
export const navigationKey = (product: string): string => `my${product}Portal`;

export const shell = group('shell', {
  getEnvironment: endpoint({
    method: 'GET',
    path: '/env.json',
    summary: 'The environment of the portal.',
    access: anyone,
    answer: Environment,
  }),
  getTheme: endpoint({
    method: 'GET',
    path: '/theme.json',
    summary: 'The theme links this registry ships; THEME_URL may name another host.',
    access: anyone,
    answer: Theme,
  }),
  getFeatureFlags: endpoint({
    method: 'GET',
    path: '/api/feature-flags',
    summary: 'Which features are on for everyone. Those of an account are in the list of accounts.',
    access: anyone,
    answer: FeatureFlags,
  }),
  getNavigation: endpoint({
    method: 'GET',
    path: '/api/contextual-nav-data',
    summary: 'The contextual navigation, whole: the caller leaves out what the account has no use for.',
    access: signedIn,
    answer: z.record(z.string(), z.array(NavigationItem)),
  }),
});
