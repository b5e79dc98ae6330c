import { decodeSignedObject, printHex, type ValidationResult } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { meshOfAuthorities } from '../../../../../../packages/rpki-objects/test/mesh-of-authorities.ts';
import { cryptography, keyOf, now } from '../../../../../../packages/rpki-objects/test/small-authority.ts';
import { connectedAuthority } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { type BytesOf, type ChildMemory, childMemory, type Judged, judgeChild } from './child-judgement.ts';

type State = { memory: ChildMemory; at: Date; changes?: number; judged?: Judged | null; changed?: string };

const lineOf = ([uri, bytes]: readonly [string, Uint8Array]): string => `${uri} ${printHex(cryptography.sha256(bytes))} ${bytes.length}`;

/** Judges files, and returns which of them were requested. */
async function judged(
  files: ReadonlyMap<string, Uint8Array>,
  certificate: Uint8Array,
  { memory, at, changes = 1, judged: stored = null, changed = '' }: State,
) {
  const asked: string[] = [];
  const bytesOf: BytesOf = uris => {
    asked.push(...uris);
    const contents = uris.map(uri => files.get(uri)!);
    return Promise.resolve({ bytes: new Uint8Array(Buffer.concat(contents)), lengths: contents.map(({ length }) => length) });
  };
  const listFiles = (): Promise<string> => {
    asked.push('every file');
    return Promise.resolve([...files].map(lineOf).join('\n'));
  };
  const published = { certificates: [certificate], changes, judged: stored, changed, now: at.getTime() };
  const { payloads, removed, problems } = (await judgeChild('1', published, { memory, supply: { listFiles, bytesOf } }))!;
  const linesOf = (text: string): string[] => text.split('\n').filter(line => line !== '');
  return { asked, payloads: linesOf(payloads), removed: removed === null ? null : linesOf(removed), problems };
}

test('authorities that certify each other endlessly are read once each', async () => {
  const keys = Array.from({ length: 6 }, () => keyOf());
  const { files, first } = meshOfAuthorities(keys, 'rsync://rpki.example/repository/delegated/');
  const { asked, problems } = await judged(files, first.bytes, { memory: childMemory(), at: now });
  expect(problems).toEqual([]);
  expect(asked.filter(uri => uri.endsWith('.mft')).toSorted()).toEqual([...files.keys()].filter(uri => uri.endsWith('.mft')).toSorted());
  expect(new Set(asked).size).toBe(asked.length);
});

test('a certificate in the cache keeps its own bytes, not those of the files that came with it', async () => {
  const { files, first } = meshOfAuthorities([keyOf(), keyOf(), keyOf()], 'rsync://rpki.example/repository/delegated/');
  const memory = childMemory();
  await judged(files, first.bytes, { memory, at: now });
  const authorities = [...memory.children.get('1')!.results.values()].flatMap(({ result }) => result.authorities);
  expect(authorities.length).toBeGreaterThan(3);
  for (const { toBeSigned, publicKey } of authorities)
    for (const part of [toBeSigned, publicKey]) expect(part.buffer.byteLength).toBeLessThan(1.5 * toBeSigned.length);
});

describe('an authority with three ROAs', () => {
  let portal: TestPortal;
  let child: Awaited<ReturnType<typeof connectedAuthority>>['child'];
  let certificate: Uint8Array;
  beforeAll(async () => {
    portal = await testPortal();
    ({ child } = await connectedAuthority(portal));
    const [row] = await portal.db.read.rows<{ certificate: Buffer }>(sql`select certificate from rpki_child_key`);
    certificate = row!.certificate;
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const at = new Date();
  const roas = [20, 21, 22].map(maxLength => ({ prefix: '198.18.0.0/19', asn: 64500, maxLength }));

  test('is read completely at first, then only changes', async () => {
    const memory = childMemory();
    const files = child.files(roas);
    const first = await judged(files, certificate, { memory, at });
    expect(first.payloads).toEqual(roas.map(({ maxLength }) => `198.18.0.0/19 64500 ${maxLength}`));
    expect(first.asked.toSorted()).toEqual(['every file', ...files.keys()].toSorted());
    const kept = [...files].filter(([uri]) => uri.endsWith('.roa')).slice(1);
    const next = new Map([...kept, ...child.listing(kept.map(([uri, bytes]) => ({ uri, bytes })))]);
    const second = await judged(next, certificate, { memory, at });
    expect(second.payloads).toEqual(first.payloads.slice(1));
    expect(second.asked.map(uri => uri.slice(-4)).toSorted()).toEqual(['.crl', '.mft', 'file']);
  });

  test('has no payloads, and a problem that says so, if the memory limit is exceeded', async () => {
    expect(await judged(child.files(roas), certificate, { memory: childMemory(5), at })).toMatchObject({
      payloads: [],
      problems: [expect.stringMatching(/^The files of one authority have more than \d+ ROA payloads/)],
    });
    expect((await judged(child.files(roas), certificate, { memory: childMemory(6), at })).payloads).toHaveLength(3);
  });

  const payload = (maxLength: number): string => `198.18.0.0/19 64500 ${maxLength}`;
  /** Files that were judged, as the first of their changes. */
  const known = async () => {
    const memory = childMemory();
    const files = child.files(roas);
    expect((await judged(files, certificate, { memory, at })).removed).toBeNull();
    const of = ([uri]: readonly [string, Uint8Array]): boolean => uri.endsWith('.roa');
    return { memory, files, roaFiles: [...files].filter(of), stored: { changes: 1, at: at.getTime() } };
  };
  const listing = (some: readonly (readonly [string, Uint8Array])[], revoked: { serial: bigint; revokedAt: Date }[] = []) =>
    child.listing(
      some.map(([uri, bytes]) => ({ uri, bytes })),
      revoked,
    );
  const changedLines = (changed: ReadonlyMap<string, Uint8Array>, gone: readonly string[] = []): string =>
    [...[...changed].map(lineOf), ...gone].join('\n');

  test('is judged by what changed since, and its payloads are those added and removed', async () => {
    const { memory, roaFiles, stored } = await known();
    const lists = listing(roaFiles.slice(1));
    const next = new Map([...roaFiles.slice(1), ...lists]);
    const changed = changedLines(lists, [roaFiles[0]![0]]);
    const second = await judged(next, certificate, { memory, at, changes: 2, judged: stored, changed });
    expect(second).toMatchObject({ payloads: [], removed: [payload(20)], problems: [] });
    expect(second.asked.map(uri => uri.slice(-4)).toSorted()).toEqual(['.crl', '.mft']);
    // That judgement was not stored: what came since is compared with the one before.
    const again = listing(roaFiles);
    const third = await judged(new Map([...roaFiles, ...again]), certificate, {
      memory,
      at,
      changes: 3,
      judged: stored,
      changed: changedLines(new Map([...again, roaFiles[0]!])),
    });
    expect(third).toMatchObject({ payloads: [], removed: [], problems: [] });
    expect(third.asked.map(uri => uri.slice(-4)).toSorted()).toEqual(['.crl', '.mft']);
  });

  test('is not read at all where nothing changed, until something of it ends', async () => {
    const { memory, files, stored } = await known();
    const later = new Date(at.getTime() + 1000);
    const same = await judged(files, certificate, { memory, at: later, judged: stored });
    expect(same).toEqual({ asked: [], payloads: [], removed: [], problems: [] });
    const over = new Date(at.getTime() + 30 * 60 * 60 * 1000);
    const ended = await judged(files, certificate, { memory, at: over, judged: { changes: 1, at: later.getTime() } });
    expect(ended).toMatchObject({
      removed: roas.map(({ maxLength }) => payload(maxLength)),
      problems: [expect.stringContaining('out of date')],
    });
  });

  test('loses the payloads of a certificate that a new CRL revokes, though its file stays as it was', async () => {
    const { memory, roaFiles, stored } = await known();
    const { serial } = decodeSignedObject(roaFiles[1]![1], 'roa').certificate;
    const lists = listing(roaFiles, [{ serial, revokedAt: at }]);
    const second = await judged(new Map([...roaFiles, ...lists]), certificate, {
      memory,
      at,
      changes: 2,
      judged: stored,
      changed: changedLines(lists),
    });
    expect(second).toMatchObject({ payloads: [], removed: [payload(21)], problems: ['roa-1.roa: The certificate is revoked'] });
    expect(second.asked.map(uri => uri.slice(-4)).toSorted()).toEqual(['.crl', '.mft']);
  });

  test.each([
    ['was withdrawn', (uri: string) => [uri, null] as const, /roa-0\.roa, which is missing$/],
    ['was replaced by another', (uri: string) => [uri, Buffer.from('another')] as const, /another hash of roa-0\.roa$/],
  ])('has no payloads while a file %s that its manifest still lists', async (_what, change, problem) => {
    const { memory, files, roaFiles, stored } = await known();
    const [uri, bytes] = change(roaFiles[0]![0]);
    const next = new Map(files);
    if (bytes) next.set(uri, bytes);
    else next.delete(uri);
    const changed = bytes ? lineOf([uri, bytes]) : uri;
    const second = await judged(next, certificate, { memory, at, changes: 2, judged: stored, changed });
    expect(second.removed).toHaveLength(3);
    expect(second.problems).toEqual([expect.stringMatching(problem)]);
  });

  test('is read completely by a thread whose knowledge is older than what is stored', async () => {
    const { memory, files } = await known();
    const elsewhere = { changes: 2, at: at.getTime() };
    const { asked, removed, payloads } = await judged(files, certificate, { memory, at, changes: 3, judged: elsewhere });
    expect(asked).toEqual(['every file', expect.stringMatching(/mft$/), expect.stringMatching(/crl$/)]);
    expect([removed, payloads.length]).toEqual([null, 3]);
    // Judged elsewhere at the same state: nothing is compared with what was not stored.
    const other = { changes: 3, at: at.getTime() + 500 };
    expect((await judged(files, certificate, { memory, at, changes: 3, judged: other })).removed).toBeNull();
  });

  test('is forgotten, the longest unused first, where a thread knows too much', async () => {
    // Five files, three payloads in a result, and three in each of two judgements.
    const memory = childMemory(undefined, 20);
    const files = child.files(roas);
    const stored = { changes: 1, at: at.getTime() };
    await judged(files, certificate, { memory, at });
    expect((await judged(files, certificate, { memory, at, judged: stored })).asked).toEqual([]);
    memory.keep('2', { ...memory.children.get('1')! });
    expect((await judged(files, certificate, { memory, at, judged: stored })).asked).toContain('every file');
  });

  test.each([
    ['payloads, though repeated,', (result: ValidationResult) => ({ ...result, vrps: Array.from({ length: 30 }, () => result.vrps[0]!) })],
    ['problems', (result: ValidationResult) => ({ ...result, problems: Array.from({ length: 30 }, () => ({ uri: 'a', problem: 'b' })) })],
    ['hints', (result: ValidationResult) => ({ ...result, hints: Array.from({ length: 30 }, () => ({ uri: 'a', hint: 'b' })) })],
  ])('is not known, and others still are, where it alone has too many %s', async (_what, grown) => {
    const memory = childMemory(undefined, 20);
    await judged(child.files(roas), certificate, { memory, at });
    const one = memory.children.get('1')!;
    const results = new Map([...one.results].map(([uri, each]) => [uri, { ...each, result: grown(each.result) }]));
    memory.keep('2', { ...one, results });
    expect([...memory.children.keys()]).toEqual(['1']);
    memory.keep('1', { ...one, results });
    expect([...memory.children.keys()]).toEqual([]);
  });

  test('is judged without keeping results for which there is no room', async () => {
    const memory = childMemory(undefined, 7);
    expect((await judged(child.files(roas), certificate, { memory, at })).payloads).toHaveLength(3);
    const kept = memory.children.get('1');
    expect(kept?.results.size ?? 0).toBe(0);
  });

  test('is refused with the file that exceeds the limit, before the rest is requested', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ prefix: `198.18.${index}.0/24`, asn: 64500, maxLength: 24 }));
    const files = child.files(many);
    const { asked, problems } = await judged(files, certificate, { memory: childMemory(20), at });
    expect(problems).toEqual([expect.stringMatching(/^The files of one authority have more than/)]);
    expect(asked.filter(uri => uri.endsWith('.roa'))).toHaveLength(200);
  });
});
