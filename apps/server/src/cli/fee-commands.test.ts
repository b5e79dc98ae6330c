import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastFees } from '../../test/example-fees.ts';
import { type TestPortal, testPortal } from '../../test/portal.ts';
import { runCommand } from './run-command.ts';

describe('fees of a file', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fees-'));
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
    await portal.db.change({ action: 'test', summary: 'Billed', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into billing_start (first_end, begun_at) values ('2020-01-01', now()) on conflict do nothing`),
    );
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function run(name: string, content?: unknown, options = {}): Promise<{ code: number; said: string; errors: string }> {
    const file = path.join(folder, `${crypto.randomUUID()}.json`);
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content ?? null));
    let [said, errors] = ['', ''];
    const code = await runCommand(
      { name, args: content === undefined ? [] : [file], options, input: '' },
      {
        config: portal.config,
        openDatabase: () => Promise.resolve(portal.db),
        output: new Writable({ write: (chunk, _encoding, next) => ((said += String(chunk)), next()) }),
        errors: { isTTY: false, write: text => (errors += text) },
      },
    );
    return { code, said, errors: errors.replaceAll(file, 'FILE') };
  }
  const announced = async (): Promise<string[]> =>
    (JSON.parse((await run('fees')).said) as { validFrom: string }[]).map(({ validFrom }) => validFrom);

  test('are shown with their effect by a dry run, announced once, and printed as a file of others begins', async () => {
    const before = await announced();
    const year = Number(before.at(-1)!.slice(0, 4)) + 1;
    const next = {
      validFrom: `${year}-01-01`,
      validUntil: `${year}-12-31`,
      fees: { ...lastFees, member: { ...lastFees.member, baseFee: '2000.00' } },
    };
    const dry = await run('fees announce', next, { 'dry-run': true });
    expect(dry).toMatchObject({ code: 0, errors: '' });
    expect(dry.said).toMatch(
      new RegExp(`^Fees from ${year}-01-01 until ${year}-12-31\\n {2}\\d+ accounts pay AUD.*: \\d+ pay more, 0 less, \\d+ the same`),
    );
    expect(dry.said).toContain('Nothing is announced: that was a dry run.');
    expect(await announced()).toEqual(before);
    expect(await run('fees announce', [next])).toMatchObject({ code: 0, errors: '' });
    expect(await announced()).toEqual([...before, next.validFrom]);
    expect(await run('fees announce', next)).toMatchObject({ code: 1, errors: expect.stringContaining('are announced already from') });
  });

  test.each([
    ['that is no JSON', '{', /^FILE is not JSON/],
    ['without rules', [{ validFrom: '2090-01-01', validUntil: '2090-12-31' }], /^FILE, entry 1, fees: /],
    [
      'with rules that are none',
      { validFrom: '2090-01-01', validUntil: '2090-12-31', fees: { member: { ...lastFees.member, baseFee: '-1', bonus: 1 } } },
      /^FILE, entry 1, fees\.member\.baseFee: Enter an amount above zero[^]*“bonus” isn’t known here/,
    ],
    [
      'announced on a day to come',
      { validFrom: '2090-01-01', validUntil: '2090-12-31', announcedOn: '2089-01-01', fees: lastFees },
      /^FILE: the fees from 2090-01-01 can’t have been announced on 2089-01-01: today is/,
    ],
    [
      'for longer than any registry plans',
      { validFrom: '2090-01-01', validUntil: '9999-12-31', fees: lastFees },
      /^FILE, entry 1, validUntil: Choose a date within 10 years of 2090-01-01/,
    ],
    [
      'that have begun, as of an earlier day, once memberships are billed',
      { validFrom: '2009-01-01', validUntil: '2009-12-31', announcedOn: '2008-09-01', fees: lastFees },
      /^The fees from 2009-01-01 have begun and were not announced here on 2008-09-01\. Leave announcedOn out/,
    ],
  ])('%s are refused with what would be right', async (_what, content, words) => {
    const before = await announced();
    const { code, errors } = await run('fees announce', content);
    expect(code).toBe(1);
    expect(errors).toMatch(words);
    expect(await announced()).toEqual(before);
  });
});
