import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { parsePrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { lockParts } from '../../resources/index.ts';
import { runListingDeadlines } from './listing-deadlines.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const offer = { kind: 'offer' as const, resource: '198.18.28.0/22', notes: 'Free since spring', consent: true as const };
const list = (person: Person, account: string, more: object = {}) =>
  person(api.listings.addListing, { account, body: { ...offer, ...more } });
const board = async (person: Person, account: string, query: object = {}) =>
  (await person(api.listings.listListings, { account, query })).data!;

describe.each(kindsForRules)('the board of listings on %s', kind => {
  test('the public part of a listing contains no address or telephone number', async () => {
    await using portal = await testPortal(kind);
    const tess = await portal.as('tess');
    for (const notes of ['Write to tess@example-au.example', 'Call +61 7 5550 0100'])
      expect(await list(tess, 'EXAMPLE-AU', { notes })).toMatchObject({ status: 400, errors: [{ field: 'notes' }] });
    expect(await list(tess, 'EXAMPLE-AU', { notes: '1 024 addresses from 2027-01-01' })).toMatchObject({ status: 200 });
  });

  test('a holder gets messages without showing its address, and the sender’s is shared only with consent', async () => {
    await using portal = await testPortal(kind);
    const [tess, olive] = [await portal.as('tess'), await portal.as('olive')];
    const { listingId } = (await list(tess, 'EXAMPLE-AU')).data!;
    const shown = await board(olive, 'OTHER-SG');
    expect(shown.rows).toMatchObject([{ length: 22, resource: null, holder: null, economy: 'AU', own: false, messages: null }]);
    expect(JSON.stringify(shown)).not.toMatch(/@|EXAMPLE-AU|198\.18/);
    const ask = (body: object) =>
      olive(api.listings.askAboutListing, { account: 'OTHER-SG', listingId, body: body as { words: string; consent: true } });
    const before = await portal.mailsTo('tess@example-au.example');
    expect(await ask({ words: 'Is it routed?' })).toMatchObject({ status: 400, errors: [{ field: 'consent' }] });
    expect(await portal.mailsTo('tess@example-au.example')).toEqual(before);
    expect(await ask({ words: 'Is it routed?', consent: true })).toMatchObject({ data: { asked: true } });
    const mail = (await portal.mailsTo('tess@example-au.example')).find(({ subject }) => subject.includes('a message about your listing'))!;
    expect(mail.body).toMatch(/Olive Tan of OTHER-SG writes:[\s\S]*Is it routed\?[\s\S]*olive@other-sg\.example/);
    expect(await ask({ words: 'And now?', consent: true })).toMatchObject({ errors: [{ code: 'TOO_MANY_MESSAGES' }] });
    expect(
      await tess(api.listings.askAboutListing, { account: 'EXAMPLE-AU', listingId, body: { words: 'Me', consent: true } }),
    ).toMatchObject({
      errors: [{ code: 'OWN_LISTING' }],
    });
    expect((await board(tess, 'EXAMPLE-AU', { of: 'own' })).rows).toMatchObject([{ messages: 1, resource: '198.18.28.0/22' }]);
    const kept = await portal.db.read.rows<{ text: string }>(
      sql`select coalesce(after, before)::text as text from row_change where table_name = 'listing_message'`,
    );
    expect(JSON.stringify(kept)).not.toContain('Is it routed?');
  });
});

describe.each(kindsForRules)('rules of listings on %s', kind => {
  test('an offer keeps the rules of a transfer: own, not on hold, not smaller than a /24, once', async () => {
    await using portal = await testPortal(kind);
    const tess = await portal.as('tess');
    const code = async (more: object) => (await list(tess, 'EXAMPLE-AU', more)).errors?.[0]?.code;
    expect(await code({ resource: '198.51.100.0/24' })).toBe('NOT_HOLDER');
    expect(await code({ resource: '203.0.113.0/24' })).toBe('ON_HOLD_UNTIL');
    expect(await code({ resource: '198.18.28.0/25' })).toBe('INVALID_REQUEST');
    expect(await code({ resource: '2001:db8::/32' })).toBe('INVALID_REQUEST');
    expect(await code({ resource: '198.18.28.1/22' })).toBe('INVALID_REQUEST');
    expect(await code({ kind: 'wanted', resource: '', length: 0 })).toBe('INVALID_REQUEST');
    expect(await code({})).toBeUndefined();
    expect(await code({ resource: '198.18.30.0/24' })).toBe('LISTING_EXISTS');
  });

  test('is filtered and paged on the server', async () => {
    await using portal = await testPortal(kind);
    const [tess, olive, max] = [await portal.as('tess'), await portal.as('olive'), await portal.as('max')];
    await list(tess, 'EXAMPLE-AU');
    await list(olive, 'OTHER-SG', { resource: '198.51.100.0/24', namesHolder: true, interRegistry: true, notes: '' });
    await list(max, 'DELTA-VN', { kind: 'wanted', resource: '', length: 23, notes: 'For a data centre' });
    const sizes = async (query: object) => (await board(max, 'DELTA-VN', query)).rows.map(({ length }) => length);
    expect(await sizes({})).toEqual([23, 24, 22]);
    expect(await sizes({ kind: 'offer' })).toEqual([24, 22]);
    expect(await sizes({ length: 22 })).toEqual([22]);
    expect(await sizes({ economy: 'SG' })).toEqual([24]);
    expect(await sizes({ interRegistry: 'yes' })).toEqual([24]);
    expect(await sizes({ q: 'data centre' })).toEqual([23]);
    expect(await sizes({ q: '198.18.28' })).toEqual([]);
    expect(await sizes({ q: '198.51' })).toEqual([24]);
    const first = await board(max, 'DELTA-VN', { limit: 2 });
    expect([first.rows.length, first.total]).toEqual([2, 3]);
    expect(await sizes({ limit: 2, before: first.next! })).toEqual([22]);
  });

  test('ends with its day, when withdrawn, with its delegation or by registry staff, and can be renewed', async () => {
    await using portal = await testPortal(kind);
    const [tess, olive, max, stella] = [
      await portal.as('tess'),
      await portal.as('olive'),
      await portal.as('max'),
      await portal.as('stella'),
    ];
    const { listingId } = (await list(tess, 'EXAMPLE-AU')).data!;
    const later = (days: number) => runListingDeadlines(portal.db, new Date(Date.now() + days * DAY_MS), portal.context.profile);
    await later(85);
    await later(86);
    expect((await portal.mailsTo('tess@example-au.example')).filter(({ subject }) => subject.includes('ends on'))).toHaveLength(1);
    expect(await tess(api.listings.renewListing, { account: 'EXAMPLE-AU', listingId })).toMatchObject({ status: 200 });
    expect(await olive(api.listings.withdrawListing, { account: 'OTHER-SG', listingId })).toMatchObject({
      errors: [{ code: 'NOT_FOUND' }],
    });
    await later(91);
    expect((await board(tess, 'EXAMPLE-AU', { of: 'own' })).rows).toMatchObject([{ state: 'expired' }]);
    expect(await tess(api.listings.renewListing, { account: 'EXAMPLE-AU', listingId })).toMatchObject({
      errors: [{ code: 'LISTING_ENDED' }],
    });
    const second = (await list(tess, 'EXAMPLE-AU')).data!;
    expect(
      await olive(api.listings.reportListing, { account: 'OTHER-SG', listingId: second.listingId, body: { words: 'In use' } }),
    ).toMatchObject({
      status: 200,
    });
    expect((await stella(api.listings.listStaffListings, {})).data).toMatchObject({
      rows: [{ accountName: 'EXAMPLE-AU', reports: [{ words: 'In use' }] }],
    });
    expect(
      await stella(api.listings.removeListing, { listingId: second.listingId, body: { reason: 'The block is announced' } }),
    ).toMatchObject({ data: { state: 'removed', endedWhy: 'The block is announced' } });
    const third = (await list(tess, 'EXAMPLE-AU')).data!;
    expect((await board(max, 'DELTA-VN')).total).toBe(1);
    await portal.db.change({ action: 'test', summary: 'Locked', traceId: '0'.repeat(32) }, async change => {
      const part = { reference: 'REQ-9', accountName: 'EXAMPLE-AU', act: 'transfer' as const, fixed: false };
      await lockParts(change, part, [parsePrefix('198.18.30.0/24')]);
    });
    expect((await board(max, 'DELTA-VN')).total).toBe(0);
    expect(
      await olive(api.listings.askAboutListing, {
        account: 'OTHER-SG',
        listingId: third.listingId,
        body: { words: 'Hello', consent: true },
      }),
    ).toMatchObject({ errors: [{ code: 'LISTING_ENDED' }] });
    await portal.db.change({ action: 'test', summary: 'Aged', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`update listing_message set sent_at = sent_at - interval '400 days'`);
    });
    await later(0);
    expect(await portal.db.read.rows(sql`select 1 from listing_message`)).toHaveLength(0);
  });
});
