import { anAccount } from '@portal/app-kit/testing';
import { buildNavigation, visibleNavigation } from '@portal/contract/navigation';
import { navigationParams, type PageName, pagePath, sitePages } from '@portal/contract/pages';
import { expect, it } from 'vitest';
import { placeIn } from './listed-under.ts';
import { navigationGroups, navigationIn, navigationPages, searchedNavigation } from './navigation-groups.ts';

const all = buildNavigation('Registry', { staff: false, staffPermissions: new Set() });
const seenBy = (account: ReturnType<typeof anAccount> | null) => visibleNavigation(all, { hasAccounts: account !== null, account });
const labels = (account: ReturnType<typeof anAccount> | null, path = '/') =>
  navigationGroups(seenBy(account), path).flatMap(group => group.items.map(item => item.label));

it.each([[undefined], [null], [[]], ['nothing'], [{}], [{ myRegistryPortal: null }], [{ myRegistryPortal: {} }]])(
  '%j contains no navigation, which differs from an empty one',
  answer => expect(navigationIn(answer, 'Registry')).toBeNull(),
);

it('an invalid item is left out of the navigation, its neighbours stay', () => {
  const good = { label_en_us: 'Home', link: '/' };
  expect(navigationIn({ myRegistryPortal: [{ link: '/a' }, good, null, { ...good, children: 'x' }] }, 'Registry')).toEqual([good]);
  expect(navigationIn({ myRegistryPortal: all }, 'Registry')).toEqual(all);
});

it('a member sees headings with their entries, the start page first', () => {
  const groups = navigationGroups(seenBy(anAccount()), '/');
  expect(groups.map(group => group.label)).toEqual([undefined, 'Resource Manager', 'Membership', 'Community']);
  expect(groups[0]?.items).toMatchObject([{ label: 'Home', href: '/', current: true }]);
});

it('the pages below an entry are shown while one of them is open', () => {
  const entry = (path: string) =>
    navigationGroups(seenBy(anAccount()), path)
      .flatMap(group => group.items)
      .find(item => item.label === 'Resources');
  expect(entry('/')).toMatchObject({ href: '/resources/summary', current: false });
  expect(entry('/')?.pages).toBeUndefined();
  expect(
    entry('/resources/ipv6')
      ?.pages?.filter(page => page.current)
      .map(page => page.label),
  ).toEqual(['IPv6']);
});

it.each([
  ['/contact/billing/ticket/20007', 'Support tickets'],
  ['/contact/billing/rt-tickets', 'Support tickets'],
  ['/voting/4/cast', 'Voting'],
  ['/voting/history', 'Voting history'],
  ['/nothing/here', undefined],
])('%s stands in the entry %s', (path, label) => {
  const seen = seenBy(anAccount());
  const entries = navigationGroups(seen, placeIn(seen, path)).flatMap(group => group.items);
  expect(entries.filter(({ current }) => current).map(entry => entry.label)).toEqual(label ? [label] : []);
});

/** Pages that belong to no entry: the way in and out, answers to letters, what the bar at the top opens, and the pages of registry staff. */
const outside: readonly PageName[] = [
  ...(['authCallback', 'logout', 'accountSelection', 'notFound'] as const),
  ...(['acceptReferral', 'acceptStaffInvitation', 'acceptInvitation'] as const),
  ...(['settings', 'notifications'] as const),
  ...(['holders', 'contactRequests', 'organisationChanges'] as const),
];

it('every page of the portal and the resource manager marks one entry', () => {
  const markedAt = (path: string): number => {
    const entries = navigationGroups(all, placeIn(all, path)).flatMap(group => group.items.flatMap(item => [item, ...(item.pages ?? [])]));
    return new Set(entries.flatMap(({ current, href }) => (current ? [href] : []))).size;
  };
  const wrong = sitePages
    .filter(({ app, redirectTo, name }) => app !== 'desk' && redirectTo === undefined && !outside.includes(name))
    .map(({ name, path }) => ({
      name,
      path: pagePath(path, 'Registry').replace(/\{(\w+)\}/g, (_, key: string) => navigationParams[key] ?? '7'),
    }))
    .filter(({ path }) => markedAt(path) !== 1);
  expect(wrong).toEqual([]);
});

it('NIR Tools only for a national registry, Customer Management only for members and non-members', () => {
  expect(labels(anAccount())).not.toContain('NIR Tools');
  expect(labels(anAccount({ nir: true, accountType: 'confed-nir' }))).toContain('NIR Tools');
  expect(labels(anAccount())).toContain('Customer Management');
  expect(labels(anAccount({ accountType: 'historical' }))).not.toContain('Customer Management');
});

it('a login without account sees what it can do, not what belongs to an account', () => {
  expect(labels(null)).toContain('Apply for membership');
  expect(labels(null)).not.toContain('Billing');
  expect(labels(anAccount())).not.toContain('Apply for membership');
});

it('every entry leads somewhere', () => {
  for (const group of navigationGroups(all, '/resources/ipv4'))
    for (const item of group.items) for (const { href } of [item, ...(item.pages ?? [])]) expect(href).toMatch(/^\//);
});

it('a searched entry is shown even inside a collapsed one', () => {
  const [group] = navigationGroups(searchedNavigation(all, 'ipv6 registrations'), '/', true);
  expect(group?.items[0]?.pages?.map(page => page.label)).toEqual(['IPv6 registrations']);
});

it('is searched by the words of an entry, ignoring case', () => {
  expect(navigationPages(searchedNavigation(all, 'iPv6 REG')).map(page => page.link)).toEqual(['/resources/IPv6ShowList']);
  expect(searchedNavigation(all, 'no such page')).toEqual([]);
  expect(searchedNavigation(all, '  ')).toEqual(all);
});

it('the zone file upload is below Whois and below Reverse DNS, and once in the palette', () => {
  const link = '/resources/whois-zonefile-upload';
  const items = navigationGroups(seenBy(anAccount()), link).flatMap(group => group.items);
  expect(items.filter(({ pages: inside }) => inside?.some(({ href }) => href === link)).map(({ label }) => label)).toEqual([
    'Whois',
    'Reverse DNS',
  ]);
  expect(navigationPages(all).filter(page => page.link === link)).toMatchObject([{ group: 'Resource Manager, Whois' }]);
});

it('no two entries have the same icon', () => {
  const items = [seenBy(anAccount()), seenBy(anAccount({ nir: true, accountType: 'confed-nir' })), seenBy(null)].map(seen =>
    navigationGroups(seen, '/').flatMap(group => group.items.flatMap(({ label, icon }) => (icon ? [{ label, icon }] : []))),
  );
  for (const each of items) {
    const byIcon = Object.groupBy(each, ({ icon }) => icon);
    expect(Object.values(byIcon).flatMap(some => (some!.length > 1 ? [some!.map(({ label }) => label)] : []))).toEqual([]);
  }
});
