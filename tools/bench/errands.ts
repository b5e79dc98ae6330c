import type { Locator, Page } from '@playwright/test';
import { arriveAs, framed } from '../../e2e/people.ts';
import type { Bench, Figure } from './figures/bench.ts';
import { withBrowser } from './programs/browser.ts';

/** The rows of a palette that a person steps through at most. */
const MAX_STEPS = 20;

/** Clicks and key presses, counted as a person makes them; a chord such as Ctrl-K is one press. */
class Hands {
  private readonly page: Page;
  clicks = 0;
  keys = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.click();
  }

  async press(key: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  /** Opens the palette, types, and takes the first that has these words. */
  async find(typed: string, result: RegExp): Promise<void> {
    await this.press('Control+k');
    await this.page.getByRole('searchbox', { name: /^Find/ }).waitFor();
    this.keys += typed.length;
    await this.page.keyboard.type(typed);
    const options = this.page.getByRole('dialog').getByRole('option');
    await options.filter({ hasText: result }).first().waitFor();
    // Answers of the server move the rows while one steps through them: a person looks at the chosen one before pressing Enter.
    const chosen = this.page.getByRole('dialog').locator('[role=option][data-focused]');
    for (let step = 0; step < MAX_STEPS; step++) {
      if ((await chosen.count()) > 0 && result.test((await chosen.first().textContent()) ?? '')) break;
      await this.press('ArrowDown');
    }
    await this.press('Enter');
  }
}

type Way = (hands: Hands, page: Page) => Promise<unknown>;
type Errand = {
  what: string;
  person: string;
  start?: string;
  /** Through the navigation: before the palette found anything but pages and resources, there was no other way. */
  before: Way;
  now: Way;
  /** An element that is on the screen once the person has arrived. */
  arrived: (page: Page) => Locator;
};

const side = (page: Page, name: string): Locator => page.getByRole('navigation').getByRole('link', { name, exact: true });
const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name, level: 1 });

const errands: readonly Errand[] = [
  {
    what: 'invite a billing contact',
    person: 'corin',
    before: async (hands, page) => {
      await hands.click(side(page, 'Account contacts'));
      await hands.click(page.getByRole('button', { name: 'Invite a contact' }));
    },
    now: hands => hands.find('invite', /Invite a contact/),
    arrived: page => page.getByLabel('Full name'),
  },
  {
    what: 'see what tess may do',
    person: 'corin',
    before: async (hands, page) => {
      await hands.click(side(page, 'Account contacts'));
      await heading(page, 'Account contacts').waitFor();
      await hands.click(page.getByRole('main').getByText('Tess Lindqvist').first());
    },
    now: hands => hands.find('tess', /^Tess/),
    arrived: page => heading(page, 'Tess Lindqvist'),
  },
  {
    what: 'change the abuse mailbox of all networks',
    person: 'tess',
    before: async (hands, page) => {
      await hands.click(side(page, 'Whois'));
      await hands.click(side(page, 'Attribute update'));
    },
    now: hands => hands.find('abuse mailbox', /Replace a value/),
    arrived: page => framed(page).getByRole('heading', { level: 1 }),
  },
  {
    what: 'find why bill cannot vote',
    person: 'bill',
    before: (hands, page) => hands.click(side(page, 'Voting')),
    now: hands => hands.find('vot', /^Voting/),
    arrived: page => heading(page, 'Voting'),
  },
  {
    what: 'read the lines of an invoice',
    person: 'corin',
    before: async (hands, page) => {
      await hands.click(side(page, 'Billing'));
      await hands.click(page.getByRole('link', { name: 'INV-2025-000002' }));
    },
    now: hands => hands.find('inv-2025', /INV-2025-000002/),
    arrived: page => page.getByRole('dialog', { name: 'INV-2025-000002' }),
  },
  {
    what: 'switch to the account of Southsite',
    person: 'corin',
    before: async (hands, page) => {
      await hands.click(page.getByRole('button', { name: /EXAMPLE-AU/ }));
      await hands.click(page.getByRole('option', { name: /SOUTHSITE-NZ/ }));
    },
    now: hands => hands.find('south', /Switch to SOUTHSITE-NZ/),
    arrived: page => heading(page, 'SOUTHSITE-NZ'),
  },
  {
    what: 'turn the screen dark',
    person: 'corin',
    before: async (hands, page) => {
      await hands.click(page.getByRole('button', { name: /^Hello/ }));
      await hands.click(page.getByRole('menuitem', { name: /settings/i }));
      await hands.click(page.getByText('Dark', { exact: true }));
    },
    now: hands => hands.find('dark', /Dark theme/),
    arrived: page => page.locator('html[data-theme="dark"]'),
  },
  {
    what: 'validate the abuse mailbox',
    person: 'corin',
    before: async (hands, page) => {
      await hands.click(side(page, 'Whois'));
      await hands.click(side(page, 'IRT validation'));
    },
    now: (hands, page) => hands.click(page.getByRole('link', { name: 'Validate' }).first()),
    arrived: page => framed(page).getByRole('heading', { level: 1 }),
  },
  {
    what: 'sign the agreement',
    person: 'corin',
    before: (hands, page) => hands.click(side(page, 'Documents')),
    now: (hands, page) => hands.click(page.getByRole('link', { name: 'Read and sign' })),
    arrived: page => heading(page, 'Documents'),
  },
  {
    what: 'find who holds 198.18.12.1 (registry staff)',
    person: 'stella',
    start: '/desk/requests',
    before: async (hands, page) => {
      await hands.click(side(page, 'Find an account'));
      const field = page.getByLabel('Name, prefix, address or AS number');
      await hands.click(field);
      hands.keys += '198.18.12.1'.length;
      await page.keyboard.type('198.18.12.1');
      await hands.press('Enter');
      await hands.click(page.getByRole('link', { name: 'EXAMPLE-AU' }).first());
    },
    now: hands => hands.find('198.18.12.1', /EXAMPLE-AU/),
    arrived: page => heading(page, 'EXAMPLE-AU'),
  },
];

export const bench: Bench = {
  about: 'ten errands of a newcomer, walked through the navigation and as they are quickest now, in clicks and key presses',
  run: () =>
    withBrowser(async ({ newContext }) => {
      const figures: Figure[] = [];
      for (const { what, person, start = '/', before, now, arrived } of errands) {
        const counts: string[] = [];
        for (const way of [before, now]) {
          const context = await newContext();
          const page = await context.newPage();
          await arriveAs(page, person, start);
          const hands = new Hands(page);
          await way(hands, page);
          await arrived(page).first().waitFor();
          await context.close();
          counts.push(`${hands.clicks} clicks, ${hands.keys} keys`);
        }
        figures.push({ what, value: counts.join(' → ') });
      }
      return figures;
    }),
};
