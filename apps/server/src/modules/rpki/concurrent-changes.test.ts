import { api } from '@portal/contract/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { publishAll } from './repository/publisher.ts';
import { readRepository } from './repository/repository-check.ts';

const account = 'EXAMPLE-AU';
type Client = Awaited<ReturnType<TestPortal['as']>>;

/** An action: a person adds or removes a ROA or changes providers, based on the list they last saw; or the publisher runs in between. */
const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('add' as const), third: fc.integer({ min: 0, max: 5 }), asn: fc.integer({ min: 0, max: 1 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      third: fc.integer({ min: 0, max: 5 }),
      asn: fc.integer({ min: 0, max: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('providers' as const), third: fc.integer({ min: 1, max: 2 }), asn: fc.constant(0) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('publish' as const), third: fc.constant(0), asn: fc.constant(0) }) },
);
const origins = [64500, 65536];

describe.each(kindsForRules)('changes by several people on %s', kind => {
  let portal: TestPortal;
  let people: Client[];
  beforeAll(async () => {
    portal = await testPortal(kind);
    people = await Promise.all(['corin', 'tess', 'tilda'].map(name => portal.as(name)));
    await people[0]!(api.rpki.enable, { account });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  /** Returns what was accepted; a change based on an outdated list is refused completely. */
  async function carryOut(person: Client, { kind: what, third, asn }: { kind: string; third: number; asn: number }): Promise<void> {
    if (what === 'publish') {
      await publishAll(portal.context);
      return;
    }
    if (what === 'providers') {
      const { rows } = (await person(api.rpkiAspas.listAspas, { account })).data!;
      const body = { customer: 'AS64500', providers: [`AS6450${third}`], comment: '', version: rows[0]?.version ?? 0 };
      const { errors } = await person(api.rpkiAspas.saveAspa, { account, body });
      expect(['STALE', 'NOTHING_TO_DO', undefined]).toContain(errors?.[0]!.code);
      return;
    }
    const prefix = `198.18.${third}.0/24`;
    const origin = origins[asn]!;
    const { version, rows } = (await person(api.rpki.listRoas, { account, query: {} })).data!;
    const there = rows.find(roa => roa.prefix === prefix && roa.asn === origin);
    if (what === 'add' ? there : !there) return;
    const { errors } = await person(api.rpki.changeRoas, {
      account,
      body: { version, add: what === 'add' ? [{ prefix, asn: `AS${origin}`, comment: '' }] : [], remove: there ? [there.roaId] : [] },
    });
    expect(['STALE', undefined]).toContain(errors?.[0]!.code);
  }

  test('in any order lead to a repository that matches what is wanted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), act), { minLength: 4, maxLength: 12 }), async acts => {
        // Each person acts sequentially; the three act in parallel.
        await Promise.all(
          people.map(async (person, index) => {
            for (const [who, each] of acts) if (who === index) await carryOut(person, each);
          }),
        );
        await publishAll(portal.context);
        const { vrps, problems } = await readRepository(portal.db.read, new Date());
        expect(problems).toEqual([]);
        const { rows } = (await people[0]!(api.rpki.listRoas, { account, query: {} })).data!;
        const printed = (list: readonly { prefix: string; asn: number }[]) => list.map(({ prefix, asn }) => `${prefix} ${asn}`).toSorted();
        expect(printed(vrps)).toEqual(printed(rows));
        expect(rows.every(({ state }) => state === 'published')).toBe(true);
        const { rows: aspas } = (await people[0]!(api.rpkiAspas.listAspas, { account })).data!;
        expect(aspas.every(({ state }) => state === 'published')).toBe(true);
      }),
      { numRuns: 3 },
    );
  }, 120_000);
});
