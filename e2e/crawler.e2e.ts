import type { Locator, Page } from '@playwright/test';
import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import { findPage, pages } from '@portal/contract/pages';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Control, controlsIn, patternOf, pressIn } from './controls.ts';
import { arriveAs, goInside } from './people.ts';
import { expect, test } from './portal-test.ts';
import { turnOfDay } from './turns.ts';

/** A contact of each type, holders of each kind of account, a person without one, and registry staff of each role that has pages of its own. */
const everyone = ['corin', 'tess', 'bill', 'nils', 'hana', 'max', 'nadia', 'stella', 'ola', 'dora', 'audra'];

/** Without CRAWL one of them presses what is on a few pages of the navigation, others each day: all had their turn after this many days. CRAWL_TURN chooses those of a day. */
const TURNS = 21;
const isWhole = Boolean(process.env.CRAWL);
const people = isWhole ? everyone : ['tess'];
const turn = turnOfDay(TURNS, 'CRAWL_TURN');
const pagesOfTurn = (): string[] =>
  Object.values(pages)
    .filter(
      page =>
        'nav' in page &&
        page.app !== 'desk' &&
        !page.path.includes('{') &&
        !('onlyFor' in page && page.onlyFor !== 'regular-or-non-member'),
    )
    .map(page => page.path)
    .filter((_, index) => index % TURNS === turn);

/** Nothing on the page changes by them, for the reason that stands beside. */
const withoutEffect: readonly [name: RegExp, because: string][] = [
  [/^Open calendar$/, 'the calendar is the browser’s own, and not in the page'],
  [/^Refresh$/, 'what was read less than half a minute ago is still right'],
];

/** They end the crawl. */
const leftAlone = /^(Log out|Sign out|Log in again)\b/;

/** They lead to the sign-in pages, whose own stories press what is there: once for all pages. */
const leadsToSignIn = /^(Add a second factor|Turn on two-factor|Confirm it’s you|Log in)$/;

/** The address is one of the portal's pages, not of the sign-in pages or the provider. */
const isOfPortal = ({ pathname }: URL): boolean => backEndAnswerOf(pathname) === null;

/** True for the first of all people and workers of this run that comes with a key. */
function isFirst(key: string): boolean {
  const folder = path.join(process.env.E2E_FOLDER!, 'crawled', Buffer.from(key).toString('base64url').slice(0, 200));
  try {
    mkdirSync(path.dirname(folder), { recursive: true });
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

const shownFrame = async (page: Page) => {
  for (const frame of page.frames().slice(1)) {
    const element = await frame.frameElement().catch(() => null);
    if (element && (await element.isVisible()) && !(await element.getAttribute('inert'))) return frame;
  }
  return null;
};

/** Opens an address inside the portal and waits until it is there with its data; by a full load where the portal has been left. */
async function arrive(page: Page, address: string): Promise<void> {
  const isFramed = findPage(address, 'Registry').page.app === 'resource-manager';
  const hasHead = async (): Promise<boolean> => {
    const frame = isFramed ? await shownFrame(page) : page.mainFrame();
    return (await frame?.getByRole('heading', { level: 1 }).first().isVisible()) ?? false;
  };
  const isPortal = await page
    .evaluate(`document.querySelector('header') !== null && document.querySelector('nav') !== null`)
    .catch(() => false);
  // A page of sign-in has a head, too.
  const isThere =
    isPortal &&
    (await goInside(page, address)
      .then(() => expect.poll(hasHead, { timeout: 6000 }).toBe(true))
      .then(
        () => true,
        () => false,
      ));
  if (!isThere) await page.goto(address);
  await expect.poll(hasHead, `the head of ${address}`).toBe(true);
  for (const frame of [page.mainFrame(), await shownFrame(page)])
    if (frame) await expect(frame.locator('[aria-busy="true"]:visible'), `the data of ${address}`).toHaveCount(0);
}

const isDeadEnd = (page: Page): Promise<boolean> => page.getByRole('heading', { level: 1, name: pages.notFound.title }).isVisible();

const opened = 'dialog[open], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
/** The dialog or menu that is open in the page or its frame. */
const openIn = async (page: Page): Promise<Locator | null> => {
  for (const frame of page.frames()) {
    const found = frame.locator(opened).filter({ visible: true }).last();
    if ((await found.count().catch(() => 0)) > 0) return found;
  }
  return null;
};

/** Closes what a press opened, as a person who thinks better of it; loads the page anew where that is not enough. */
async function closeAgain(page: Page, address: string): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    const open = await openIn(page);
    if (!open) return;
    await open.evaluate(`element => (element.querySelector('button, input, a, [tabindex]') ?? element).focus()`).catch(() => undefined);
    await page.keyboard.press('Escape');
  }
  if (!(await openIn(page))) return;
  await page.goto(address);
  await arrive(page, address);
}

for (const name of people) {
  test.describe(`as ${name}`, () => {
    test.describe.configure({ timeout: isWhole ? 1_800_000 : 150_000, mode: 'parallel' });

    test('every link leads to a page, and every button does something', async ({ page, watch, address: origin }) => {
      // Nothing is changed: each change is refused before it reaches the server.
      watch.expect(/status of 409/);
      await page.route(
        url => url.pathname.startsWith('/api/'),
        async route => {
          if (route.request().method() === 'GET') return route.fallback();
          const errors = [{ code: 'CONFLICT', message: 'The crawler changes nothing', traceId: '0'.repeat(32) }];
          await route.fulfill({ status: 409, json: { errors } });
        },
      );
      await arriveAs(page, name);
      const found = new Set<string>();
      // Said immediately: a crawl takes minutes.
      const find = (sentence: string): void => {
        if (!found.has(sentence)) console.log(`${name}: ${sentence}`);
        found.add(sentence);
      };
      page.on('response', answer => {
        const { pathname } = new URL(answer.url());
        if (answer.status() >= 400 && answer.status() !== 409) find(`${pathname} answers ${answer.status()} on ${page.url()}`);
      });
      page.on('popup', popup => void popup.close());
      const queue = isWhole ? ['/'] : pagesOfTurn();
      const seen = new Set<string>(queue);
      let pressed = 0;
      const begun = Date.now();
      for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
        const cameTo = await arrive(page, address).then(
          () => true,
          (error: Error) => {
            find(`${address} can’t be shown: ${error.message.split('\n')[0]}`);
            return false;
          },
        );
        if (!cameTo) continue;
        if (await isDeadEnd(page)) {
          find(`${address} is no page`);
          continue;
        }
        // An address may lead on to another.
        const own = new URL(page.url()).pathname;
        const place = patternOf(own);
        for (const inFrame of [false, true]) {
          const documentOf = async () => (inFrame ? shownFrame(page) : page.mainFrame());
          const list = async () =>
            (await documentOf()
              .then(frame => frame && controlsIn(frame))
              .catch(() => null)) ?? [];
          if (isWhole) for (const control of await list()) if (control.kind === 'link') await follow(control, place);
          const judged = new Set<string>();
          // Listed anew after each press, which may have drawn the page anew.
          for (;;) {
            // What was pressed may have led on a moment later.
            if (new URL(page.url()).pathname !== own) await arrive(page, address);
            const next = (await list()).find(({ kind, name: words }) => kind === 'button' && !judged.has(patternOf(words)));
            if (!next) break;
            judged.add(patternOf(next.name));
            const isOnce = leadsToSignIn.test(next.name) || withoutEffect.some(([words]) => words.test(next.name));
            const isOfShell = next.isInShell || isOnce || (!inFrame && (await shownFrame(page)) !== null);
            if (leftAlone.test(next.name) || !isFirst(`${isOfShell ? 'shell' : place} ${patternOf(next.name)}`)) continue;
            pressed++;
            const frame = await documentOf();
            const outcome = frame && (await pressIn(frame, next));
            if (leadsToSignIn.test(next.name)) await page.waitForURL(url => !isOfPortal(url), { timeout: 5000 }).catch(() => undefined);
            const isIdle = outcome && outcome.changes === 0 && !outcome.wentOn && outcome.opened.length === 0;
            if (isIdle && !withoutEffect.some(([words]) => words.test(next.name))) find(`${address}: “${next.name}” does nothing`);
            if (outcome === null || new URL(page.url()).pathname !== own) {
              if (await isDeadEnd(page)) find(`${address}: “${next.name}” leads to no page: ${page.url()}`);
              await arrive(page, address);
            } else await closeAgain(page, address);
          }
        }
      }
      const pagesCrawled = isWhole ? `${seen.size} pages` : `${seen.size} pages of turn ${turn} (CRAWL_TURN=${turn})`;
      console.log(`${name}: ${pagesCrawled}, ${pressed} buttons, ${Math.round((Date.now() - begun) / 1000)} s`);
      expect([...found], 'dead ends, refused reads, and buttons without effect').toEqual([]);

      /** Judges where a link leads, and queues the page that it leads to unless one like it was seen. */
      async function follow({ href, name: words }: Control, place: string): Promise<void> {
        if (href === '' || href === '#') return find(`${place}: “${words}” leads nowhere`);
        if (href.startsWith('#')) return;
        const url = new URL(href, page.url());
        if (url.origin !== origin) return;
        if (backEndAnswerOf(url.pathname) !== null) {
          if (!isFirst(`server ${patternOf(url.pathname)}`)) return;
          const answer = await page.request.get(url.href, { maxRedirects: 0 });
          if (answer.status() >= 400) find(`${place}: “${words}” leads to ${url.pathname}, which answers ${answer.status()}`);
          return;
        }
        if (url.pathname.startsWith('/logout')) return;
        const pattern = patternOf(url.pathname);
        if (seen.has(pattern)) return;
        seen.add(pattern);
        queue.push(url.pathname + url.search + url.hash);
      }
    });
  });
}
