import { indexVrps, type Vrp } from '@portal/number-resources';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { type WhoisServer, whoisServer } from '../../../../test/whois-server.ts';
import { createLog } from '../../../platform/log.ts';
import { listVrps } from '../../rpki/index.ts';
import { answerQuery } from './answer.ts';
import { answerIrr, type IrrSession } from './irr.ts';
import { readQueryLine } from './query-line.ts';
import type { QueryPlace } from './query-place.ts';
import { openRouteOrigins, validityOfRoute } from './route-origins.ts';

const framed = (data: string): string => `A${Buffer.byteLength(data) + 1}\n${data}\nC\n`;

describe('routes that ROAs contradict', () => {
  let whois: WhoisServer;
  beforeAll(async () => {
    whois = await whoisServer({ memoryMegabytes: 0 });
  });
  afterAll(() => whois[Symbol.asyncDispose]());

  const placeWith = (...vrps: Vrp[]): QueryPlace => {
    const index = indexVrps(vrps);
    return { db: whois.db, source: 'EXAMPLE', host: 'whois.example', termsUrl: '', release: '1', origins: () => index };
  };
  const other: Vrp = { prefix: '198.18.4.0/22', asn: 64_501, maxLength: 22 };
  const session = (): IrrSession => ({ keepOpen: true, persistent: false, without: new Set(), rpkiFilter: true, sources: ['EXAMPLE'] });
  const asked = async (place: QueryPlace, line: string, state = session()): Promise<string> => {
    const limit = { refuses: () => null, count: () => undefined };
    return (await answerIrr({ ...place, limit }, state, { address: '127.0.0.1', idle: 0 }, line).answer) as string;
  };

  test.each([
    ['!gAS64500', framed('198.18.0.0/16')],
    ['!gAS64501', framed('198.18.4.0/22')],
    ['!a4AS64500', framed('198.18.0.0/16')],
    ['!a4AS-OUTER', framed('198.18.0.0/16 198.18.4.0/22')],
    ['!6AS64500', framed('2001:db8::/32')],
    ['!r198.18.4.0/22,o', framed('AS64501')],
    ['!mroute,198.18.4.0/22AS64500', 'D\n'],
  ])('%s leaves them out', async (line, answer) => {
    expect(await asked(placeWith(other), line)).toBe(answer);
  });

  test('a set without a member that may originate a prefix doesn’t contain it', async () => {
    const nobody: Vrp = { prefix: '198.18.4.0/22', asn: 0, maxLength: 32 };
    expect(await asked(placeWith(nobody), '!a4AS-OUTER')).toBe(framed('198.18.0.0/16'));
    expect(await asked(placeWith(nobody), '!gAS64501')).toBe('D\n');
  });

  test('!fno-rpki-filter shows them for the rest of the connection, and !J says which it is', async () => {
    const place = placeWith(other);
    const state = session();
    const filters = async () => JSON.parse((await asked(place, '!J-*', state)).split('\n')[1]!).EXAMPLE.rpki_rov_filter as boolean;
    expect(await filters()).toBe(true);
    await asked(place, '!fno-rpki-filter', state);
    expect(await asked(place, '!gAS64500', state)).toBe(framed('198.18.0.0/16 198.18.4.0/22'));
    expect(await filters()).toBe(false);
    expect(await asked(place, '!fno-such-filter', state)).toMatch(/^F /);
  });

  test('keys of routes may have blanks and hyphens, as old clients write them', async () => {
    for (const key of ['198.18.4.0/22-AS64501', '198.18.4.0/22 AS64501', '198.18.4.0/22AS64501'])
      expect(await asked(placeWith(other), `!mroute,${key}`)).toContain('Part, elsewhere');
  });

  test('a query shows them with a remark', async () => {
    let text = '';
    for await (const part of answerQuery(placeWith(other), readQueryLine('-r -T route 198.18.4.0/22', { source: 'EXAMPLE' })))
      text += part.text;
    expect(text).toContain("% RPKI: '198.18.4.0/22AS64500' is invalid, a ROA names another AS for these addresses\n");
    expect(text).not.toContain("'198.18.4.0/22AS64501' is invalid");
  });
});

test('the VRPs in memory are those that validators derive', async () => {
  await using portal = await testPortal();
  const origins = await openRouteOrigins(portal.db, createLog('silent'));
  const published = await listVrps(portal.db.read);
  expect(origins.index()?.size ?? 0).toBe(new Set(published.map(({ prefix, asn, maxLength }) => `${prefix} ${asn} ${maxLength}`)).size);
  for (const { prefix, asn } of published.filter(each => each.asn !== 0))
    expect(validityOfRoute(origins.index(), `${prefix}as${asn}`)).toBe('valid');
  await origins.stop();
});
