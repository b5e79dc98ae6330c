import { createHash } from 'node:crypto';
import { api } from '@portal/contract/api';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { inDrawnOrder } from './ballot-order.ts';
import { putCandidatesOnBallot } from './candidates.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('the order is the same from wherever candidates come, and each place is reached', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 12 }),
      fc.stringMatching(/^[0-9a-f]{64}$/),
      (names, seed) => {
        const order = inDrawnOrder(names, name => name, seed, '7');
        expect(order.toSorted()).toEqual(names.toSorted());
        expect(inDrawnOrder(names.toReversed(), name => name, seed, '7')).toEqual(order);
      },
    ),
  );
  const firsts = Array.from({ length: 200 }, (_, at) => inDrawnOrder(['Ada', 'Bo', 'Cy'], name => name, sha256(`${at}`), '7')[0]);
  expect(new Set(firsts).size).toBe(3);
});

describe.each(kindsForRules)('the order on the ballot on %s', kind => {
  test('follows from a seed whose hash is published before candidates are known, and which anyone calculates with', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const body = exampleElection({
      windows: [
        { kind: 'nomination', opensAt: inDays(-1), closesAt: inDays(1), url: '' },
        { kind: 'member-vote', opensAt: inDays(3), closesAt: inDays(5), url: '' },
      ],
    });
    const { electionId } = (await stella(api.elections.addElection, { body })).data!;
    expect((await seconded(portal, await stella(api.elections.publishElection, { electionId, body: { version: 1 } }))).errors).toBe(
      undefined,
    );
    const listed = async () => (await stella(api.nominations.listCandidates, { electionId })).data!;
    const { order } = await listed();
    expect(order).toEqual({
      commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
      seed: null,
      isAsDrawn: null,
      hasTheirNames: null,
      isDrawnFirst: true,
    });
    const page = async () => (await portal.request(`/ballots/${electionId}`)).text();
    expect(await page()).toMatch(new RegExp(`Order on the ballot.*is shown once nominations are closed.*${order!.commitment}`, 's'));

    const names = ['Ada', 'Bo', 'Cy', 'Di', 'Eve'];
    const put = () => portal.db.change(line, change => putCandidatesOnBallot({ change, params: { electionId } }));
    await portal.db.change(line, async change => {
      for (const name of names)
        await change.rows(sql`insert into nomination (election_id, nominated_by, nominator_name, full_name, email, reason, state, nominated_at, answered_at)
          select ${Number(electionId)}, (select login_id from login order by 1 limit 1), 'x', ${name.padEnd(2, ' x')}, ${`${name.toLowerCase()}@example.net`}, 'x', 'eligible', now(), now()`);
      await change.rows(
        sql`update election_window set closes_at = now() - interval '1 hour' where kind = 'nomination' and election_id = ${Number(electionId)}`,
      );
    });
    await put();
    const options = async () => (await stella(api.electionOptions.listOptions, { electionId })).data!.rows;
    const drawn = await options();
    const { seed, commitment, isAsDrawn } = (await listed()).order!;
    expect([sha256(seed!), commitment, isAsDrawn]).toEqual([order!.commitment, order!.commitment, true]);
    const byHand = drawn
      .map(({ name }) => name)
      .toSorted((a, b) => (sha256(`${seed}|${electionId}|${a}`) < sha256(`${seed}|${electionId}|${b}`) ? -1 : 1));
    expect(drawn.map(({ name }) => name)).toEqual(byHand);
    // Pressing again gives no other order, and the seed is not exchanged.
    await put();
    expect(await options()).toEqual(drawn);
    await expect(
      portal.db.change(line, change =>
        change.rows(sql`update ballot_order set seed = ${'0'.repeat(64)} where election_id = ${Number(electionId)}`),
      ),
    ).rejects.toThrow('stays');
    expect(await page()).toContain(`printf %s '${seed}|${electionId}|NAME' | sha256sum`);
    await stella(api.electionOptions.saveOptions, { electionId, body: { rows: drawn.toReversed() } });
    expect((await listed()).order).toMatchObject({ isAsDrawn: false, hasTheirNames: true });
    expect(await page()).toContain('differs from the one that follows from the seed');
    // Another spelling has another place: the ballot is compared with those who stand, not with itself.
    const spelled = drawn.map(row => ({ ...row, name: row.name === 'Ada' ? 'Ada Okafor' : row.name }));
    const again = inDrawnOrder(spelled, ({ name }) => name, seed!, electionId);
    await stella(api.electionOptions.saveOptions, { electionId, body: { rows: again } });
    expect((await listed()).order).toMatchObject({ isAsDrawn: false, hasTheirNames: false });
    expect(await page()).toContain('names on the ballot differ from those of the candidates who stand');
  });
});
