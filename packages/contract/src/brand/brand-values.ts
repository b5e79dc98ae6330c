/** Groups of values, in the order of the page. */
export const brandGroups = { names: 'Names', contact: 'Contact', links: 'Links', logos: 'Logo', colours: 'Accent colour' } as const;
export type BrandGroup = keyof typeof brandGroups;

type Row = {
  group: BrandGroup;
  title: string;
  /** Where people see it. */
  help: string;
  /** The effect of leaving it empty; without it, it can't be empty. */
  ifEmpty?: string;
  /** At most so many characters; without it, as many as the profile file takes. */
  most?: number;
};

/**
 * Values of the registry profile that say how the registry looks and where it is reached. Staff propose others, a second person confirms; each process reads them
 * for each page that it makes (decision 327).
 */
export const brandValues = {
  registryName: { group: 'names', title: 'Registry name', help: 'On public pages, in mails and on documents.', most: 100 },
  portalName: {
    group: 'names',
    title: 'Portal name',
    help: 'At the top of every page and in mails.',
    most: 30,
    ifEmpty: 'the portal is called “My” and the product’s name',
  },
  supportEmail: { group: 'contact', title: 'Support e-mail', help: 'Members write here for help.' },
  supportPhone: {
    group: 'contact',
    title: 'Support telephone',
    help: 'With the country code, such as +61 7 3858 3100.',
    ifEmpty: 'no telephone number is shown',
  },
  whoisTermsUrl: { group: 'links', title: 'Terms of use', help: 'In footers, and in answers of whois and RDAP.' },
  privacyUrl: { group: 'links', title: 'Privacy policy', help: 'In footers.', ifEmpty: 'footers link to the page /privacy' },
  legalUrl: { group: 'links', title: 'Legal notice', help: 'In footers.', ifEmpty: 'no link is shown' },
  helpUrl: { group: 'links', title: 'Help', help: 'In the bar of the portal.', ifEmpty: 'the bar links to the page /help' },
  logoLight: {
    group: 'logos',
    title: 'Logo in the light theme',
    help: 'At the top of pages, 22 pixels high. A PNG or WebP of 66 pixels or more is sharp on every screen.',
    ifEmpty: 'the mark of the design is shown',
  },
  logoDark: {
    group: 'logos',
    title: 'Logo in the dark theme',
    help: 'The same, for people who see dark pages.',
    ifEmpty: 'the logo of the light theme is shown',
  },
  accentLight: {
    group: 'colours',
    title: 'Accent in the light theme',
    help: 'For buttons that change something, marks and selected rows.',
    ifEmpty: 'the colour of the design is used',
  },
  accentDark: {
    group: 'colours',
    title: 'Accent in the dark theme',
    help: 'The same, for people who see dark pages.',
    ifEmpty: 'the colour of the design is used',
  },
} as const satisfies Record<string, Row>;

export type BrandValueName = keyof typeof brandValues;
export const brandValueNames = Object.keys(brandValues) as [BrandValueName, ...BrandValueName[]];

/** Returns the row of a value, with its usual parts. */
export const brandRow = (name: BrandValueName): Row => brandValues[name];

/** Names of values whose text is a colour, with the theme that each is for. */
export const accentThemes = { accentLight: 'light', accentDark: 'dark' } as const;
export const isAccent = (name: string): name is keyof typeof accentThemes => name in accentThemes;

/** Whether a value is a logo: the name of its file. */
export const isLogo = (name: string): name is 'logoLight' | 'logoDark' => name === 'logoLight' || name === 'logoDark';
/** The name of a logo: the digest of its content, its width at a height of 100, and its kind. */
export const logoName = /^[0-9a-f]{64}-[1-9]\d{0,3}\.(png|webp)$/;
/** The largest file of a logo, in bytes, and its longest sides in pixels. */
export const logoLimits = { bytes: 192 * 1024, width: 2048, height: 1024 } as const;
/** A logo is drawn so high, and at most so wide, in pixels. */
export const logoDrawn = { height: 22, widest: 132 } as const;

/** The cookie with which a browser of registry staff shows pages as a prepared change would make them. */
export const brandPreviewCookie = 'brand-preview';
/** Such a preview ends after so many minutes. */
export const brandPreviewMinutes = 15;
