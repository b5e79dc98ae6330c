import { arriveAs } from '../../e2e/people.ts';
import { type Bench, milliseconds, percentile } from './figures/bench.ts';
import { withBrowser } from './programs/browser.ts';

const links = ['IPv6', 'AS numbers', 'IPv4'];

export const bench: Bench = {
  about: 'from one framed page to the next by the navigation: click until its head stands in the frame; the frame’s document must stay',
  run: () =>
    withBrowser(async ({ newContext }) => {
      const page = await (await newContext()).newPage();
      await arriveAs(page, 'corin', '/resources/ipv4');
      const frame = page.frameLocator('iframe[title]');
      const head = (name: string) => frame.getByRole('heading', { level: 1, name, exact: true });
      await head('IPv4').waitFor();
      const inside = page.frames().find(candidate => candidate !== page.mainFrame() && candidate.url().endsWith('.html'))!;
      await inside.evaluate('window.sameDocument = true');
      const first: number[] = [];
      const again: number[] = [];
      for (let round = 0; round < 8; round++) {
        for (const name of links) {
          const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
          const from = performance.now();
          await link.click();
          await head(name).waitFor();
          (round === 0 ? first : again).push(performance.now() - from);
        }
      }
      const stayed = await inside.evaluate<boolean>('window.sameDocument === true').catch(() => false);
      return [
        { what: 'first time', value: `p50 ${milliseconds(percentile(first, 0.5))}, slowest ${milliseconds(Math.max(...first))}` },
        {
          what: 'again',
          value: `p50 ${milliseconds(percentile(again, 0.5))}, p95 ${milliseconds(percentile(again, 0.95))} of ${again.length}`,
          budget: 'p50 100 ms',
          held: percentile(again, 0.5) <= 100,
        },
        { what: 'same document all the way', value: stayed ? 'yes' : 'no', budget: 'yes', held: stayed },
      ];
    }),
};
