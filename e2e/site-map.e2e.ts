import type { Page } from '@playwright/test';
import { type Access } from '@portal/contract';
import { readyMadeRoles } from '@portal/contract/staff-roles';
import { pagePath, sitePages } from '@portal/contract/pages';
import { arriveAs, framed, goInside } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';
import { turnOfDay } from './turns.ts';

const parameters: Record<string, string> = {
  accountName: 'EXAMPLE-AU',
  acceptanceToken: 'not-a-token',
  referralToken: 'not-a-token',
  electionId: '1',
  queue: 'helpdesk',
  ticketId: '1',
  kind: 'ipv4',
  request: 'resources-1',
};
/** Titles of pages that are named after what they show. */
const ownTitles: Readonly<Record<string, RegExp>> = { home: /./, deskAccount: /^EXAMPLE-AU/, deskCase: /^(REQ-1,|Request)/ };
const walked = sitePages
  .filter(({ name }) => !['authCallback', 'logout', 'accountSelection'].includes(name))
  // Addresses from before the desk lead to it: the stories of the desk begin there.
  .filter(({ name }) => !['holders', 'contactRequests', 'organisationChanges'].includes(name))
  .map(page => ({ ...page, address: pagePath(page.path, 'Registry').replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? name) }))
  .map(page => (page.name === 'notFound' ? { ...page, address: '/nowhere/at-all' } : page));

/**
 * Every run opens every page as everyone, inside the portal. Loading a page's document and examining it cost four times as much: without SITE_MAP each page has its
 * turn on one of these days. SITE_MAP_TURN chooses the pages of a day.
 */
const TURNS = 4;
const turn = turnOfDay(TURNS, 'SITE_MAP_TURN');
const hasTurn = (place: number): boolean => Boolean(process.env.SITE_MAP) || place % TURNS === turn;

/** Facts about a person that decide which pages open. */
type Walker = {
  name: string;
  account: boolean;
  corporate: boolean;
  staff: boolean;
  may: (permission: string) => boolean;
  /** Examines only pages for this kind of account: every other page is in the state in which another walker examines it. */
  examines?: 'nir';
};
const walkers: Walker[] = [
  { name: 'corin', account: true, corporate: true, staff: false, may: () => true },
  {
    name: 'bill',
    account: true,
    corporate: false,
    staff: false,
    may: key =>
      [
        'contacts-details-view',
        'request-contact-add-remove',
        'member-billing-view',
        'member-billing-update',
        'advanced-invoice-update',
      ].includes(key),
  },
  { name: 'nadia', account: false, corporate: false, staff: false, may: () => false },
  { name: 'nils', account: true, corporate: true, staff: false, may: () => true, examines: 'nir' },
  { name: 'stella', account: false, corporate: false, staff: true, may: () => false },
];

/** The permissions of stella's roles. */
const heldByStella = new Set<string>([
  ...(['hostmaster', 'finance', 'elections', 'routing'] as const).flatMap(role => readyMadeRoles[role].permissions),
  'policy',
]);

function opensFor(walker: Walker, access: Access): boolean {
  switch (access.who) {
    case 'anyone':
    case 'signed-in':
      return true;
    case 'contact':
      return walker.account;
    case 'corporate':
      return walker.corporate;
    case 'member':
      return access.permissions.some(walker.may);
    case 'staff':
      return walker.staff && access.permissions.some(key => heldByStella.has(key));
  }
}

/** Opens an address by a full load, or inside the portal as its links do. */
async function go(page: Page, address: string, how: 'load' | 'inside'): Promise<void> {
  if (how === 'load') await page.goto(address);
  else await goInside(page, address);
}

for (const walker of walkers) {
  test.describe(`as ${walker.name}`, () => {
    // One browser walks the whole map, as a person does; a test for each page would be a sign-in for each page.
    test.describe.configure({ timeout: 600_000, mode: 'parallel' });

    test('every page of the site map opens or says why not, under its title, without accessibility findings', async ({ page, watch }) => {
      if (!process.env.SITE_MAP) test.info().annotations.push({ type: 'turn', description: `SITE_MAP_TURN=${turn}` });
      // The not-found page has its own status, and so have an unknown invitation, another person's ticket and an election that is over or not the account’s.
      watch.expect(
        /status of 404 .*(\/nowhere\/at-all|\/api\/((invitations|staff-invitations|referrals)\/not-a-token|tickets\/1|([\w-]+\/)?elections\/1\/\w+))/,
      );
      await arriveAs(page, walker.name);
      // Refused or concealed pages look alike: each kind is examined once, each other page always.
      const examined = new Set<string>();
      for (const [place, { name, address, title, access, redirectTo, app, onlyFor }] of walked.entries()) {
        await test.step(address, async () => {
          await go(page, address, walker.name === 'corin' && hasTurn(place) ? 'load' : 'inside');
          if (redirectTo) return expect.soft(page, `${name} redirects`).toHaveURL(redirectTo);
          await expect.soft(page, `${name} keeps its address`).toHaveURL(address);
          const concealed = access.who === 'staff' && !walker.staff;
          const opens = concealed || opensFor(walker, access);
          const view = app === 'resource-manager' ? framed(page) : page;
          await expect
            .soft(page, `${name} has its title`)
            .toHaveTitle(concealed ? /^Page not found/ : (ownTitles[name] ?? new RegExp(`^${title}`)));
          await expect.soft(view.getByRole('heading', { level: 1 }), `${name} has its head`).toBeVisible();
          await expect.soft(view.getByRole('status', { name: /^Loading/ }), `${name} is there`).toHaveCount(0);
          const refused = view.getByRole('heading', { name: 'You don’t have access to this page' });
          if (opens) await expect.soft(refused, `${name} opens`).toBeHidden();
          else await expect.soft(refused, `${name} says why not`).toBeVisible();

          const look = concealed ? 'concealed' : !opens ? `refused ${app}` : name;
          if (!hasTurn(place) || examined.has(look) || (walker.examines && walker.examines !== onlyFor)) return;
          examined.add(look);
          await expectAccessible(page);
        });
      }
    });
  });
}
