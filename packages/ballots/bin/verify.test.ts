import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { recordedBytes } from '../test/recorded.ts';
import { recordedElection } from '../test/recorded-archive.ts';

const run = promisify(execFile);
const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const kept = await recordedElection();
const file = path.join(folder, 'election.bel');
writeFileSync(file, kept.bytes);
const lastHash = kept.records.at(-1)!.hash;

/** Runs the program as a person would, and returns its exit code and output. */
async function verify(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const program = path.join(import.meta.dirname, 'verify.ts');
  try {
    const { stdout, stderr } = await run(process.execPath, [program, ...args]);
    return { code: 0, out: stdout, error: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}

test('the program verifies an archive of belenios-tool in threads, and prints its result', async () => {
  const hash = kept.records.find(({ text }) => text === kept.ballots[2])!.hash;
  const tracker = Buffer.from(hash, 'hex').toString('base64').replace('=', '');
  const { code, out } = await verify(file, '--threads', '2', '--seen', lastHash, '--tracker', hash, '--tracker', tracker, '--trackers');
  expect(code).toBe(0);
  expect(out).toContain('4 ballots with 71 votes; 5 credentials with 72 votes may vote.');
  expect(out).toContain('Decrypted by one trustee and 2 of 3 trustees; done by 2, 3, 1.');
  expect(out).toContain('Two seats\n          3  Ana\n         66  Bo\n          1  Chidi');
  expect(out).toContain('         64  No');
  expect(out.split(`In the box with 64 votes: ${tracker}`)).toHaveLength(3);
  expect(out).toContain(`${tracker}  ${hash}  64`);
});

test('the program refuses a changed archive, a missing event and an unknown tracker, and says how it is called', async () => {
  const changed = path.join(folder, 'changed.bel');
  const bytes = recordedBytes('election.bel');
  bytes[40_000]! ^= 1;
  writeFileSync(changed, bytes);
  const [refused, gone, unknown, nothing, absent] = await Promise.all([
    verify(changed),
    verify(file, '--seen', 'a'.repeat(64)),
    verify(file, '--tracker', 'abc'),
    verify(),
    verify(path.join(folder, 'absent.bel')),
  ]);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused!.error).toMatch(/^Refused: .*another hash than its name says.* \(after event \d\) \[CHAIN\]$/m);
  expect(gone).toMatchObject({ code: 1 });
  expect(gone!.error).toContain('published before is not in the archive');
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown!.out).toContain('Not in the box: abc');
  expect(nothing).toMatchObject({ code: 2 });
  expect(nothing!.error).toContain('node packages/ballots/bin/verify.ts FILE.bel');
  expect(absent).toMatchObject({ code: 2 });
});
