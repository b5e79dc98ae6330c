import type { Session } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { searchSections } from '@portal/contract/search/search';
import { tieKindOf } from '@portal/contract/tickets/queues';
import type { PaletteAct, PaletteGroup, PaletteItem, PaletteSection } from '@portal/ui/picker/CommandPalette';

const { resources, people, whois, invoices, tickets, requests } = searchSections;

/** Parts of what is found, each with the sign that chooses it. */
export const paletteSections: readonly PaletteSection[] = [
  { label: 'Prefixes', sign: '/', groups: [resources] },
  { label: 'People', sign: '@', groups: [people, 'People, all members'] },
  { label: 'Objects', sign: ':', groups: [whois] },
  { label: 'Invoices, tickets', sign: '#', groups: [invoices, tickets, requests] },
  { label: 'Actions', sign: '>', groups: ['Actions'] },
];

const goTo = [
  ['/resources/ipv4', 'IPv4', 'resources'],
  ['/resources/ReverseDNSSummary', 'Reverse DNS', 'reverse'],
  ['/resources/routes/index', 'Routes', 'route'],
  ['/member-account-settings/billing', 'Billing', 'billing'],
  ['/member-account-settings/account-contacts', 'Account contacts', 'contacts'],
  ['/member-account-settings/activity-logs', 'Activity', 'clock'],
] as const;

/** The pages that are offered before anything is typed, of those in the navigation. */
export const goToPages = (pages: readonly PaletteItem[]): PaletteItem[] =>
  goTo.flatMap(([path, text, icon]) => {
    const page = pages.find(({ href }) => href?.split('?')[0] === path);
    return page ? [{ ...page, text, icon }] : [];
  });

/** Returns the acts on the item under the cursor, besides opening it. */
export function actsOn({ kind, text, href, mono }: PaletteItem, session: Session | null): PaletteAct[] {
  const copy = { key: 'C', label: 'Copy', copies: text };
  if (kind === 'ipv4' || kind === 'ipv6')
    return [
      { key: 'R', label: 'Routes', href: `/resources/routes/index?q=${encodeURIComponent(text)}` },
      ...(session?.account?.permissions.includes('roas-update') ? [{ key: 'N', label: 'New route', href: addRouteAddress(text) }] : []),
      { key: 'D', label: 'Reverse DNS', href: `/resources/ReverseDNS?q=${encodeURIComponent(text)}` },
      { key: 'T', label: 'Ask support', href: `/contact/resources/rt-tickets?new=1&about=${encodeURIComponent(text)}` },
      copy,
    ];
  return mono || (href !== undefined && kind !== undefined) ? [copy] : [];
}

/** Acts with the typed words and the first network that they found, after what was found. */
export function actionsWith(words: string, shown: readonly PaletteGroup[], session: Session | null): PaletteItem[] {
  const network = shown.flatMap(({ items }) => items).find(({ kind }) => kind === 'ipv4' || kind === 'ipv6');
  const mayRoute = session?.account?.permissions.includes('roas-update');
  return [
    ...(network && mayRoute
      ? [{ id: 'with route', text: `Add a route for ${network.text}`, icon: 'plus' as const, href: addRouteAddress(network.text) }]
      : []),
    { id: 'with whois', text: `Look up “${words}” in whois`, icon: 'search' as const, href: `/whois?q=${encodeURIComponent(words)}` },
  ];
}
const addRouteAddress = (prefix: string): string => `/resources/routes/index?add=yes&prefix=${encodeURIComponent(prefix)}`;

/** Where else to look for words that nothing was found for in the account. */
export function furtherPlaces(text: string, session: Session | null): PaletteGroup {
  const kind = tieKindOf(text);
  return {
    label: 'Search further',
    items: [
      ...(kind === 'prefix' || kind === 'asn'
        ? [
            {
              id: 'further registry',
              text: `Look up ${text}`,
              note: 'the whole registry',
              icon: 'search' as const,
              href: recordAddress(text),
            },
          ]
        : []),
      {
        id: 'further whois',
        text: `Search whois for “${text}”`,
        note: 'public, in a new tab',
        icon: 'whois' as const,
        href: `/whois?q=${encodeURIComponent(text)}`,
      },
      ...(session && session.accounts.length > 1
        ? [
            {
              id: 'further accounts',
              text: 'Your other accounts',
              note: String(session.accounts.length - 1),
              icon: 'building' as const,
              href: '/member-account-settings/my-accounts',
            },
          ]
        : []),
      {
        id: 'further support',
        text: `Ask support about “${text}”`,
        icon: 'ticket',
        href: `/contact/helpdesk/rt-tickets?new=1&subject=${encodeURIComponent(text)}`,
      },
    ],
  };
}
