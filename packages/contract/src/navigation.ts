import type { Account } from './accounts/accounts.ts';
import { holdsOneOf } from './staff-permissions.ts';
import { navigationParams, pagePath, type SitePage, sitePages } from './pages.ts';
import type { NavigationItem } from './shell/shell.ts';

/** The contextual navigation of a product, in site-map order (answer of GET /api/contextual-nav-data). Staff entries only for staff whose roles open them. */
export function buildNavigation(product: string, caller: { staff: boolean; staffPermissions: ReadonlySet<string> }): NavigationItem[] {
  const items: NavigationItem[] = [];
  for (const page of sitePages) {
    if (!page.nav || !isListedFor(page, caller)) continue;
    place(items, page.nav, page, product);
    if (page.alsoIn) place(items, page.alsoIn, page, product);
  }
  return items;
}

const isListedFor = ({ access }: SitePage, caller: { staff: boolean; staffPermissions: ReadonlySet<string> }): boolean =>
  access.who !== 'staff' || (caller.staff && holdsOneOf(caller.staffPermissions, access.permissions, true));

function place(items: NavigationItem[], [label, ...rest]: readonly string[], page: SitePage, product: string): void {
  if (rest.length === 0) {
    const link = pagePath(page.path, product).replace(/\{(\w+)\}/g, (_, name: string) => navigationParams[name] ?? '');
    items.push({
      label_en_us: label!,
      link,
      ...(page.restriction && { restriction: page.restriction }),
      ...(page.flag && { feature: page.flag }),
    });
    return;
  }
  let group = items.find(item => item.label_en_us === label && item.children);
  if (!group) items.push((group = { label_en_us: label!, children: [] }));
  place(group.children!, rest, page, product);
}

/** Labels the specification filters by, inside the Resource Manager menu. */
const resourceManager = 'Resource Manager';
const nirTools = 'NIR Tools';
const customerManagement = 'Customer Management';
/** National registries make no referrals. */
const referral = 'Referral application';

/**
 * Returns the navigation a person sees (specification, section 6): entries for people with accounts are hidden from people without and
 * vice versa; NIR Tools needs an NIR account, Customer Management a regular or non-member account, and
 * what is switched on for some accounts one that has it. Groups left empty disappear.
 */
export function visibleNavigation(
  items: readonly NavigationItem[],
  { hasAccounts, account }: { hasAccounts: boolean; account: Pick<Account, 'nir' | 'accountType' | 'features'> | null },
): NavigationItem[] {
  const visible = (list: readonly NavigationItem[], inResourceManager: boolean): NavigationItem[] =>
    list.flatMap(item => {
      if (item.restriction === 'noMembershipAccount' && hasAccounts) return [];
      if (item.restriction === 'hasMembershipAccount' && !hasAccounts) return [];
      if (item.feature && account && !account.features.includes(item.feature)) return [];
      if (item.label_en_us === referral && account?.nir) return [];
      if (inResourceManager && item.label_en_us === nirTools && !account?.nir) return [];
      if (
        inResourceManager &&
        item.label_en_us === customerManagement &&
        account?.accountType !== 'regular' &&
        account?.accountType !== 'non member'
      )
        return [];
      if (!item.children) return [item];
      const children = visible(item.children, inResourceManager || item.label_en_us === resourceManager);
      return children.length > 0 || item.link ? [{ ...item, children }] : [];
    });
  return visible(items, false);
}
