import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ballotOf, cast, openEncrypted } from '../../../test/encrypted-election.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { listedUntil } from './voters-list.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

test('voters are listed from the close on, for as many days as the bylaws have, or never', () => {
  const closesAt = '2027-03-01T06:00:00.000Z';
  const window = { kind: 'member-vote', opensAt: '2027-02-20T06:00:00.000Z', closesAt, url: '', state: 'closed', words: '' } as const;
  const until = (state: 'published' | 'closed', votersListedDays: number, after: number) =>
    listedUntil({ state, windows: [window] }, { votersListedDays }, new Date(Date.parse(closesAt) + after));
  expect(until('published', 14, -1)).toBe(null);
  expect(until('closed', 14, 0)).toBe('2027-03-15T06:00:00.000Z');
  expect(until('closed', 14, 14 * DAY_MS - 1)).toBe('2027-03-15T06:00:00.000Z');
  expect(until('closed', 14, 14 * DAY_MS)).toBe(null);
  expect(until('closed', 0, 0)).toBe(null);
});

describe.each(kindsForRules)('who voted on encrypted ballots, on %s', kind => {
  test('is listed after the close in the order of names, and the result is linked from the history of the account', async () => {
    await using portal = await testPortal(kind);
    const open = await openEncrypted(portal);
    const { electionId } = open;
    for (const [as, account] of [
      ['olive', 'OTHER-SG'],
      ['corin', 'EXAMPLE-AU'],
    ] as const)
      expect((await cast(portal, electionId, { as, account, body: await ballotOf(portal, open, account, [0], as) })).errors).toBe(
        undefined,
      );
    const file = async () => portal.request(`/elections/${electionId}/voters.csv`);
    const page = async () => (await portal.request(`/elections/${electionId}`)).text();
    const corin = await portal.as('corin');
    const history = async () =>
      (await corin(api.proxies.listVotes, { account: 'EXAMPLE-AU' })).data!.rows.find(each => each.electionId === electionId)!;
    expect((await file()).status).toBe(404);
    expect(await page()).not.toContain('EXAMPLE-AU');
    expect((await history()).resultsUrl).toBe(null);

    await portal.db.change(line, change =>
      change.rows(sql`update election_window set closes_at = now() - interval '1 minute' where election_id = ${Number(electionId)}`),
    );
    const answer = await file();
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="voters-${electionId}.csv"`);
    expect(await answer.text()).toMatch(/^account,organisation\r\nEXAMPLE-AU,[^\r,]*\r\nOTHER-SG,[^\r,]*\r\n$/);
    expect(await page()).toMatch(/Who voted.*2 accounts, in the order of their names.*EXAMPLE-AU.*OTHER-SG/s);
    expect((await history()).resultsUrl).toBe(`/elections/${electionId}`);
    for (const path of ['/elections/x/voters.csv', '/elections/999999/voters.csv']) expect((await portal.request(path)).status).toBe(404);
  });
});
