import { api } from '@portal/contract/api';
import { longestSetupFile } from '@portal/contract/rpki/self-hosted';
import { printBase64 } from '@portal/rpki-objects';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newKeys, selfHostedAuthority } from '../../../../../../packages/rpki-objects/test/self-hosted-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { costOf } from '../../../../test/thread-costs.ts';
import type { Failure } from '../../../platform/failure.ts';
import { readIntroduction } from './child-reading.ts';
import { introductionIn } from './introductions.ts';

const account = 'EXAMPLE-AU';
const now = new Date();
const child = selfHostedAuthority('Example-AU', newKeys(), () => now);
const certified = (certificate: string): string =>
  child.childRequest.replace(/(<child_bpki_ta>)[^<]*/, (_all, tag: string) => `${tag}${certificate}`);
const filled = (piece: string, around: (content: string) => string): string =>
  around(piece.repeat(Math.floor((longestSetupFile - around('').length) / piece.length)));
const identity = Buffer.from(/<child_bpki_ta>([^<]*)/.exec(child.childRequest)![1]!, 'base64');

describe('introductions of members’ own authorities', () => {
  /** Processor time in ms that the main thread may spend on one. */
  const SPENT = 5;
  test.each([
    [
      'elements in the element',
      filled('<a/>', content => child.childRequest.replace('<child_bpki_ta>', `${content}<child_bpki_ta>`)),
      '^Example-AU$',
    ],
    ['blanks before a bracket', filled(' ', content => `<child_request${content}<>`), 'not well-formed XML'],
    ['attributes', filled('a="" ', content => child.childRequest.replace('tag=', `${content}tag=`)), 'duplicate attribute'],
    ['entities', filled('&amp;', content => child.childRequest.replace('handle="', `handle="${content}`)), 'more than 1024 characters'],
    ['a certificate of nothing but empty sets', filled('MQAx', certified), 'no outer sequence'],
    [
      'a certificate with much behind it',
      certified(printBase64(new Uint8Array(Buffer.concat([identity, Buffer.alloc(13_000, '3100', 'hex')])))),
      'more in it than',
    ],
  ])('the largest one, with %s, costs the main thread less than 5 ms', async (_what, text, words) => {
    expect(text.length).toBeLessThanOrEqual(longestSetupFile);
    // The thread has begun.
    await readIntroduction('test', { of: 'child', text: '', now: 0 });
    const reading = () =>
      introductionIn('childRequest', text, { sender: 'test', now }).then(
        ({ handle }) => handle,
        ({ problems }: Failure) => problems[0]!.message,
      );
    const { answer, cpu } = await costOf(reading);
    expect(answer).toMatch(new RegExp(words));
    expect(cpu).toBeLessThan(SPENT);
  });

  test('only a few of one person may wait, and the rest are refused with what to do', async () => {
    const reading = Array.from({ length: 8 }, () =>
      introductionIn('publisherRequest', child.publisherRequest, { sender: 'one', now }).then(
        ({ handle }) => handle,
        ({ problems }: Failure) => problems[0],
      ),
    );
    const others = introductionIn('childRequest', child.childRequest, { sender: 'two', now });
    expect(await others).toMatchObject({ handle: 'Example-AU' });
    expect((await Promise.all(reading)).slice(-2)).toEqual(
      Array(2).fill({ field: 'publisherRequest', message: 'Too many files are being read at this moment. Try again in a minute' }),
    );
    expect((await Promise.all(reading)).slice(0, 4)).toEqual(Array(4).fill('Example-AU'));
  });
});

describe('a call that brings one', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  afterEach(() => vi.restoreAllMocks());

  test('has it read before its transaction begins, and an unreadable one starts none', async () => {
    const corin = await portal.as('corin');
    const begun = vi.spyOn(portal.context.db, 'change');
    const refused = await corin(api.rpkiSelfHosted.connect, { account, body: { childRequest: child.publisherRequest } });
    expect(refused.errors![0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'childRequest' });
    expect(begun).not.toHaveBeenCalled();
    expect((await corin(api.rpkiSelfHosted.connect, { account, body: { childRequest: child.childRequest } })).errors).toBeUndefined();
    expect(begun).toHaveBeenCalledOnce();
  });
});
