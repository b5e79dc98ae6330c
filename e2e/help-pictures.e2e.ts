import type { FrameLocator, Locator, Page } from '@playwright/test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { arriveAs, framed } from './people.ts';
import { expect, test } from './portal-test.ts';

/*
 * The pictures of help articles, made of the demo registry: HELP_PICTURES=make npm run e2e -- help-pictures
 *
 * Without it, this story compares what stands on the page with what stood there when its picture was made: headings, columns, fields and buttons, not what members
 * entered. So a picture shows the page of today, or the story names it.
 */
const isMade = process.env.HELP_PICTURES === 'make';
const folder = path.join(import.meta.dirname, '../apps/server/help/pictures');
/** A line for each picture: its name, a colon, and the words with bars between them. */
const wordsFile = path.join(folder, 'words.txt');

function kept(): Map<string, string> {
  const lines = existsSync(wordsFile) ? readFileSync(wordsFile, 'utf8').trim().split('\n') : [];
  return new Map(lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}
function keep(name: string, words: string): void {
  const all = [...kept().set(name, words)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(wordsFile, all.map(([each, line]) => `${each}: ${line}\n`).join(''));
}

type Place = Page | FrameLocator;
type Shown = {
  name: string;
  path: string;
  isFramed?: true;
  /** A picture has these parts of the page, and all that lies between them. */
  parts: (place: Place) => Locator[];
};

const heading = (place: Place, name: string | RegExp): Locator => place.getByRole('heading', { name });
const section = (place: Place, name: string | RegExp): Locator =>
  place
    .locator('section, aside, form')
    .filter({ has: heading(place, name) })
    .last();
const crumbs = (place: Place): Locator => place.getByRole('navigation', { name: 'Breadcrumb' });
const list = (place: Place): Locator => place.locator('table, [role=grid]').first();
const inAccount = (to: string): string => `/EXAMPLE-AU/index.html?to=${encodeURIComponent(to)}`;

/** Pages that are only read, so that it doesn’t matter which stories came before. */
const ofMembers: readonly Shown[] = [
  {
    name: 'create-a-roa',
    path: inAccount('/resources/routes/index?add=yes&prefix=198.18.30.0/24&asn=AS64500'),
    isFramed: true,
    parts: place => [
      crumbs(place),
      heading(place, 'New route'),
      section(place, 'Before you save'),
      place.getByRole('button', { name: /^Save 1 route/ }),
    ],
  },
  {
    name: 'delegate-a-reverse-zone',
    path: inAccount('/resources/ReverseDNS_ip?prefix=198.18.30.0/23'),
    isFramed: true,
    parts: place => [section(place, 'Zones of'), section(place, 'Name servers and keys')],
  },
  {
    name: 'request-resources',
    path: inAccount('/resources/ipv4_request_form'),
    isFramed: true,
    parts: place => [section(place, 'Eligibility')],
  },
  {
    name: 'transfer-resources',
    path: inAccount('/resources/transfer_request_select'),
    isFramed: true,
    parts: place => [
      section(place, 'Unused IPv4 or AS numbers'),
      section(place, 'Before you start'),
      section(place, 'Return to the registry'),
    ],
  },
  {
    name: 'whois-objects',
    path: inAccount('/resources/whois-updates-js/all?class=role'),
    isFramed: true,
    parts: place => [heading(place, 'Whois updates'), place.getByRole('link', { name: 'New object' }), list(place)],
  },
  {
    name: 'api-keys',
    path: inAccount('/resources/registry-api/api-key-create'),
    isFramed: true,
    parts: place => [crumbs(place), heading(place, 'New API key'), place.getByLabel('Allowed addresses'), place.getByText('billing:read')],
  },
  {
    name: 'contacts',
    path: inAccount('/member-account-settings/account-contacts'),
    parts: place => [heading(place, 'Account contacts'), place.getByRole('button', { name: 'Invite a contact' }), list(place)],
  },
  {
    name: 'invoices',
    path: inAccount('/member-account-settings/billing'),
    parts: place => [heading(place, /^Billing$/), section(place, /^Renewal$/), section(place, 'Charged per term')],
  },
  { name: 'vote', path: inAccount('/voting'), parts: place => [heading(place, /^Voting$/), section(place, /^For members/)] },
  { name: 'account-security', path: '/account', parts: place => [heading(place, 'Your login'), section(place, 'Protection')] },
];
const ofStrangers: readonly Shown[] = [
  {
    name: 'use-whois',
    path: '/whois/198.18.0.0/19',
    parts: place => [heading(place, '198.18.0.0/19'), section(place, 'Position'), section(place, 'Routing')],
  },
];

const MARGIN = 8;
type Box = { x: number; y: number; width: number; height: number };

/** Returns the box of a picture: its parts, and what lies between them. */
async function boxOf(parts: readonly Locator[]): Promise<Box> {
  const boxes: Box[] = [];
  for (const part of parts) {
    await expect(part.first()).toBeVisible({ timeout: 15_000 });
    const box = await part.first().boundingBox();
    // A part that is drawn anew in this moment has none: the next look sees it.
    if (box) boxes.push(box);
  }
  const left = Math.min(...boxes.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...boxes.map(({ y }) => y)) - MARGIN;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The words of the program inside of a box, in their order. Those with digits are left out: they are of the demo registry and of today. */
async function wordsIn(place: Place, box: Box, frame: Box): Promise<string[]> {
  const all = await place.locator('h1, h2, h3, th, label, legend, button, dt').evaluateAll(parts =>
    parts.map(part => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return { x, y, width, height, words: (part as unknown as { innerText: string }).innerText.replaceAll(/\s+/g, ' ').trim() };
    }),
  );
  const isInside = ({ x, y, width, height }: Box): boolean =>
    width > 2 &&
    x + frame.x >= box.x &&
    x + frame.x + width <= box.x + box.width &&
    y + frame.y >= box.y &&
    y + frame.y + height <= box.y + box.height;
  const found = all.filter(each => isInside(each) && each.words !== '' && !/\d/.test(each.words));
  return [...new Set(found.toSorted((a, b) => a.y - b.y || a.x - b.x).map(({ words }) => words))];
}

async function makePicture(page: Page, name: string, { x, y, width, height }: Box): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    const { data } = await browser.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 72,
      clip: { x, y, width: Math.round(width), height: Math.round(height), scale: 2 },
      captureBeyondViewport: true,
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name}${scheme === 'dark' ? '.dark' : ''}.webp`), Buffer.from(data, 'base64'));
  }
}

/** Looks at a page until nothing moves any more: two looks, one after the other, see the same. */
async function settled(page: Page, { isFramed, parts }: Shown): Promise<{ box: Box; words: string[] }> {
  const place = isFramed ? framed(page) : page;
  const seen = async (): Promise<{ box: Box; words: string[] }> => {
    const box = await boxOf(parts(place));
    const frame = isFramed ? (await page.locator('iframe[title]').boundingBox())! : { x: 0, y: 0, width: 0, height: 0 };
    return { box, words: await wordsIn(place, box, frame) };
  };
  let last = await seen();
  await expect(async () => {
    const before = last;
    last = await seen();
    expect(last).toEqual(before);
    expect(last.words.length).toBeGreaterThan(1);
  }).toPass({ timeout: 20_000 });
  return last;
}

async function look(page: Page, shown: Shown): Promise<void> {
  const { name } = shown;
  const { box, words } = await settled(page, shown);
  const line = words.join(' | ');
  if (isMade) {
    await makePicture(page, name, box);
    keep(name, line);
    return;
  }
  expect(line, `The picture ${name} of the help is of an older page: HELP_PICTURES=make npm run e2e -- help-pictures`).toBe(
    kept().get(name),
  );
}

test.use({ program: 'untouched', viewport: { width: 1220, height: 1600 }, locale: 'en-GB', timezoneId: 'UTC' });

test('pictures in the help show the pages of members as they are', async ({ page }) => {
  test.slow();
  await arriveAs(page, 'corin');
  for (const shown of ofMembers)
    await test.step(shown.name, async () => {
      await page.goto(shown.path);
      await look(page, shown);
    });
});

test('pictures in the help show the public pages as they are', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 1600 });
  for (const shown of ofStrangers)
    await test.step(shown.name, async () => {
      await page.goto(shown.path);
      await look(page, shown);
    });
});
