import { type FileMemory, printHex } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { meshOfAuthorities } from '../../../../../../packages/rpki-objects/test/mesh-of-authorities.ts';
import { cryptography, keyOf, now } from '../../../../../../packages/rpki-objects/test/small-authority.ts';
import { connectedAuthority } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { boundedMemory, type BytesOf, judgeChild } from './child-judgement.ts';

/** Judges files, and returns which of them were requested. */
async function judged(files: ReadonlyMap<string, Uint8Array>, certificate: Uint8Array, { memory, at }: { memory: FileMemory; at: Date }) {
  const asked: string[] = [];
  const bytesOf: BytesOf = uris => {
    asked.push(...uris);
    const contents = uris.map(uri => files.get(uri)!);
    return Promise.resolve({ bytes: new Uint8Array(Buffer.concat(contents)), lengths: contents.map(({ length }) => length) });
  };
  const lines = [...files].map(([uri, bytes]) => `${uri} ${printHex(cryptography.sha256(bytes))} ${bytes.length}`).join('\n');
  const judgement = (await judgeChild({ certificates: [certificate], files: lines, now: at.getTime() }, memory, bytesOf))!;
  return { asked, payloads: judgement.payloads.split('\n').filter(line => line !== ''), problems: judgement.problems };
}

test('authorities that certify each other endlessly are read once each', async () => {
  const keys = Array.from({ length: 6 }, () => keyOf());
  const { files, first } = meshOfAuthorities(keys, 'rsync://rpki.example/repository/delegated/');
  const { asked, problems } = await judged(files, first.bytes, { memory: boundedMemory(), at: now });
  expect(problems).toEqual([]);
  expect(asked.filter(uri => uri.endsWith('.mft')).toSorted()).toEqual([...files.keys()].filter(uri => uri.endsWith('.mft')).toSorted());
  expect(new Set(asked).size).toBe(asked.length);
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
    const memory = boundedMemory();
    const files = child.files(roas);
    const first = await judged(files, certificate, { memory, at });
    expect(first.payloads).toEqual(roas.map(({ maxLength }) => `198.18.0.0/19 64500 ${maxLength}`));
    expect(first.asked.toSorted()).toEqual([...files.keys()].toSorted());
    const kept = [...files].filter(([uri]) => uri.endsWith('.roa')).slice(1);
    const next = new Map([...kept, ...child.listing(kept.map(([uri, bytes]) => ({ uri, bytes })))]);
    const second = await judged(next, certificate, { memory, at });
    expect(second.payloads).toEqual(first.payloads.slice(1));
    expect(second.asked.map(uri => uri.slice(-4)).toSorted()).toEqual(['.crl', '.mft']);
  });

  test('has no payloads, and a problem that says so, if the memory limit is exceeded', async () => {
    expect(await judged(child.files(roas), certificate, { memory: boundedMemory(5), at })).toMatchObject({
      payloads: [],
      problems: [expect.stringMatching(/^The files of one authority have more than \d+ ROA payloads/)],
    });
    expect((await judged(child.files(roas), certificate, { memory: boundedMemory(6), at })).payloads).toHaveLength(3);
  });
});
