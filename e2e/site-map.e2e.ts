import { type Access, pagePath, sitePages } from '@portal/contract';
import { arriveAs } from './people.ts';
import { expect, expectAccessible, test } from './portal-test.ts';

const parameters: Record<string, string> = {
  accountName: 'EXAMPLE-AU',
  acceptanceToken: 'not-a-token',
  electionId: '1',
  queue: 'helpdesk',
  ticketId: '1',
};
const walked = sitePages
  .filter(({ name }) => !['authCallback', 'logout', 'accountSelection'].includes(name))
  .map(page => ({ ...page, address: pagePath(page.path, 'Registry').replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? name) }))
  .map(page => (page.name === 'notFound' ? { ...page, address: '/nowhere/at-all' } : page));

/** What the walk knows about a person, to say which pages open. */
type Walker = { name: string; account: boolean; corporate: boolean; staff: boolean; may: (permission: string) => boolean };
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
  { name: 'nils', account: true, corporate: true, staff: false, may: () => true },
  { name: 'stella', account: false, corporate: false, staff: true, may: () => false },
];

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
      return walker.staff;
  }
}

for (const walker of walkers) {
  test.describe(`as ${walker.name}`, () => {
    // One browser walks the whole map, as a person does; a page a test would be a sign-in a test.
    test.describe.configure({ timeout: 240_000 });

    test('every page of the site map opens, or says why not, with its title, and without accessibility findings', async ({
      page,
      watch,
    }) => {
      // The not-found page is answered with its status.
      watch.expect(/status of 404 .*(\/nowhere\/at-all|\/staff\/holders)/);
      await arriveAs(page, walker.name);
      for (const { name, address, title, access, redirectTo, app } of walked) {
        await test.step(`${address}`, async () => {
          await page.goto(address);
          if (redirectTo) {
            await expect.soft(page, `${name} redirects`).toHaveURL(redirectTo);
            return;
          }
          const concealed = access.who === 'staff' && !walker.staff;
          const opens = opensFor(walker, access);
          const view = app === 'resource-manager' ? page.frameLocator('iframe') : page;
          await expect.soft(view.getByRole('heading', { level: 1 }), `${name} has its head`).toBeVisible();
          if (!concealed && name !== 'home')
            await expect.soft(page, `${name} has its title`).toHaveTitle(new RegExp(title.replace(/[().]/g, '\\$&')));
          await page.waitForLoadState('networkidle');
          const refused = view.getByRole('heading', { name: 'Why not?' });
          if (opens || concealed) await expect.soft(refused, `${name} opens`).toBeHidden();
          else await expect.soft(refused, `${name} says why not`).toBeVisible();
          await expectAccessible(page);
        });
      }
    });
  });
}
