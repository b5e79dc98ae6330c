import { longestObject } from '@portal/rpsl';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { longestTurnOf } from '../../../../test/thread-costs.ts';
import { MAILS_A_DAY, notifyAboutChanges, type ObjectNotice } from './change-notices.ts';

/** The longest, in ms of processor time, for which they hold up everything else: an object of 9,000 lines is read in one piece. */
const MAX_MS = 20;
const accountName = 'OTHER-SG';
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

class Undone extends Error {}
const addresses = Array.from({ length: 100 }, (_, n) => `notify${n}@example.net`);
const head = (name: string): string =>
  `inetnum: 10.0.0.0 - 10.0.0.255\nnetname: ${name}\n${addresses.map(each => `notify: ${each}\n`).join('')}source: EXAMPLE\n`;
/** A long object, and what became of it: every line is another one. */
const notice = (n: number): ObjectNotice => {
  const filled = (word: string): string => {
    const line = `remarks: ${word} ${'x'.repeat(10)}\n`;
    return head(`LONG${n}`) + line.repeat(Math.min(9_000, Math.floor((longestObject - 5_000) / line.length)));
  };
  return {
    done: 'modify',
    class: 'inetnum',
    shown: `10.0.${n}.0 - 10.0.${n}.255`,
    before: filled('before'),
    after: filled('after'),
    refusals: [],
  };
};

type Sent = { mails: { recipient: string; body: string }[]; details: Record<string, unknown>; leftOut: number };
async function send(notices: readonly ObjectNotice[]): Promise<Sent> {
  let sent: Sent | undefined;
  await portal.db
    .change({ action: 'whois.submitUpdates', summary: 'Changed', traceId: '0'.repeat(32), accountName }, async change => {
      const leftOut = await notifyAboutChanges(change, notices, { who: 'Olive Tan', profile: portal.context.profile });
      const mails = await change.rows<{ recipient: string; body: string }>(
        sql`select recipient, body from mail where recipient like 'notify%@example.net' order by mail_id`,
      );
      const [line] = await change.rows<{ details: Record<string, unknown> }>(
        sql`select details from activity where activity_id = ${change.activityId}`,
      );
      sent = { mails, details: line!.details, leftOut };
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return sent!;
}

test('mails about many long objects are short, and written without holding up anything', async () => {
  const notices = Array.from({ length: 40 }, (_, n) => notice(n));
  let sent: Sent | undefined;
  const longest = await longestTurnOf(MAX_MS, async () => {
    sent = await send(notices);
  });
  expect(sent!.mails).toHaveLength(100);
  for (const { body } of sent!.mails) {
    expect(body.length).toBeLessThan(160_000);
    expect(body).toMatch(/\[Cut here: the text has \d+ characters\]/);
    expect(body).toMatch(/And \d+ more were changed: inetnum 10\.0\./);
  }
  expect(sent!.details).toMatchObject({ noticeMails: 90 });
  expect(longest).toBeLessThan(MAX_MS);
});

test('an account causes so many mails a day; the first of each submission go out, and it is said how many don’t', async () => {
  const { details, leftOut: none } = await send([notice(1)]);
  expect([details['noticesLeftOut'], none]).toEqual([undefined, 0]);
  await portal.db.change({ action: 'whois.submitUpdates', summary: 'Changed', traceId: '0'.repeat(32), accountName }, change =>
    change.note({ noticeMails: MAILS_A_DAY - 30 }),
  );
  const { mails, details: limited, leftOut } = await send([notice(1)]);
  expect([mails.length, limited['noticeMails'], limited['noticesLeftOut'], leftOut]).toEqual([40, 30, 60, 60]);
});
