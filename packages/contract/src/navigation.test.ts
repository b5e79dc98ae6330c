import { expect, test } from 'vitest';
import { flagKeys } from './flags.ts';
import { buildNavigation, visibleNavigation } from './navigation.ts';
import { sitePages } from './pages.ts';
import type { NavigationItem } from './shell/shell.ts';

const all = buildNavigation('Registry', { staff: false, staffPermissions: new Set() });
const labels = (items: readonly NavigationItem[]): string[] => items.flatMap(item => [item.label_en_us, ...labels(item.children ?? [])]);
const features = [...flagKeys];
const regular = { nir: false, accountType: 'regular', features } as const;

test('without accounts: what is for people with one disappears, what is for newcomers stays', () => {
  const seen = labels(visibleNavigation(all, { hasAccounts: false, account: null }));
  expect(seen).toContain('Apply for membership');
  expect(seen).not.toContain('Billing');
  expect(seen).not.toContain('Routes and RPKI');
  expect(seen).toContain('IPv6 subnet calculator');
});

test('a person with accounts sees no membership application', () => {
  expect(labels(visibleNavigation(all, { hasAccounts: true, account: regular }))).not.toContain('Apply for membership');
});

test.each([
  [{ nir: true, accountType: 'confed-nir', features }, true, false],
  [regular, false, true],
  [{ nir: false, accountType: 'non member', features }, false, true],
  [{ nir: false, accountType: 'historical', features }, false, false],
] as const)('%j: NIR Tools %s, Customer Management %s', (account, nir, customers) => {
  const seen = labels(visibleNavigation(all, { hasAccounts: true, account }));
  expect(seen.includes('NIR Tools')).toBe(nir);
  expect(seen.includes('Sub-accounts')).toBe(nir);
  expect(seen.includes('Customer Management')).toBe(customers);
  expect(seen.includes('Referral application')).toBe(!nir);
});

test('a page of a feature is listed for accounts that have it', () => {
  const seenWith = (account: typeof regular) => labels(visibleNavigation(all, { hasAccounts: true, account }));
  expect(seenWith(regular).filter(label => label === 'Zone file upload')).toHaveLength(2);
  const seen = seenWith({ ...regular, features: features.filter(flag => flag !== 'zonefiles') });
  expect(seen).not.toContain('Zone file upload');
  expect(seen).toContain('Text upload');
});

test('labels are filtered in the Resource Manager menu only', () => {
  const elsewhere: NavigationItem[] = [{ label_en_us: 'Help', children: [{ label_en_us: 'NIR Tools', link: '/x' }] }];
  expect(visibleNavigation(elsewhere, { hasAccounts: true, account: regular })).toEqual(elsewhere);
});

test('staff pages are for staff whose roles open them', () => {
  const seenBy = (...permissions: string[]) => labels(buildNavigation('Registry', { staff: true, staffPermissions: new Set(permissions) }));
  expect(labels(all)).not.toContain('Accounts');
  expect(seenBy('accounts')).toContain('Accounts');
  expect(seenBy('accounts')).not.toContain('Payments');
  expect(seenBy('audit')).toEqual(expect.arrayContaining(['Accounts', 'Payments', 'Elections']));
  expect(seenBy()).not.toContain('Registry staff');
});

test('a page has one name: its entry in the navigation and its title have the same words, the group aside', () => {
  const wordsOf = (text: string): string[] =>
    text
      .toLowerCase()
      .split(/\W+/)
      .filter(word => !['a', 'an', 'the'].includes(word));
  const different = sitePages.flatMap(({ title, nav, path }) => {
    if (!nav) return [];
    const [entry, group] = [nav.at(-1)!, nav.at(-2) ?? ''];
    const own = new Set(wordsOf(title));
    return title === group || wordsOf(entry).every(word => own.has(word)) ? [] : [`${path}: ${title}, ${nav.join(', ')}`];
  });
  expect(different).toEqual([]);
});
