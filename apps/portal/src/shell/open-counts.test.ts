import { buildNavigation } from '@portal/contract/navigation';
import { expect, it } from 'vitest';
import { navigationGroups, navigationPages } from './navigation-groups.ts';
import { openCountsOf } from './open-counts.ts';

const all = buildNavigation('Registry', { staff: false, staffPermissions: new Set() });
const pages = navigationPages(all).map(({ link }) => link);
const item = (link: string | null, urgency: 'urgent' | 'soon' | 'note' = 'soon') => ({
  attentionId: `about-${link}`,
  urgency,
  due: null,
  title: 'Something',
  detail: '',
  action: link === null ? null : { label: 'Open', link },
  forWhom: 'account' as const,
});

it('what needs attention is counted at the page that deals with it', () => {
  const counts = openCountsOf(
    [item('/resources/ReverseDNSSummary?view=table&show=lame'), item('/voting/7/cast'), item('/voting/8/cast')],
    pages,
  );
  expect(Object.fromEntries(counts)).toEqual({ '/resources/ReverseDNSSummary': 1, '/voting': 2 });
});

it('a line that stands for several things counts them all, as the page that lists them does', () => {
  const several = { ...item('/member-account-settings/access-requests'), count: 2 };
  expect(Object.fromEntries(openCountsOf([several], pages))).toEqual({ '/member-account-settings/access-requests': 2 });
});

it('a ticket is counted at the list of tickets, whichever its queue', () => {
  expect(Object.fromEntries(openCountsOf([item('/contact/billing/ticket/5')], pages))).toEqual({ '/contact/helpdesk/rt-tickets': 1 });
  expect(Object.fromEntries(openCountsOf([item('/contact/helpdesk/ticket/5')], pages))).toEqual({ '/contact/helpdesk/rt-tickets': 1 });
});

it('a page that could belong to several entries, one that has time, and what can’t be dealt with are not counted', () => {
  expect(openCountsOf([item('/resources/prefix?prefix=192.0.2.0/24'), item('/voting', 'note'), item(null, 'urgent')], pages).size).toBe(0);
});

it('a folded entry has the count of its pages, an unfolded one each its own', () => {
  const counts = openCountsOf([item('/admin/irt-validation'), item('/resources/whois-updates-js/all?view=consents')], pages);
  const whois = (path: string) =>
    navigationGroups(all, path, false, counts)
      .flatMap(({ items }) => items)
      .find(({ label }) => label === 'Whois')!;
  expect(whois('/').count).toBe(2);
  const open = whois('/admin/irt-validation');
  expect(open.count).toBeUndefined();
  expect(open.pages!.filter(({ count }) => count).map(({ label, count }) => [label, count])).toEqual([
    ['Whois updates', 1],
    ['IRT validation', 1],
  ]);
});
