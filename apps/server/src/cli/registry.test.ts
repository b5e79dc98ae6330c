import { afterEach, expect, test, vi } from 'vitest';
import { registryCommand } from './registry.ts';

const noSettings = (): never => {
  throw new Error('help needs no settings');
};

/** Runs a command line, and returns its exit code and what it prints. */
async function run(...words: string[]): Promise<{ code: number; said: string; errors: string }> {
  const [said, errors] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map(spy =>
    spy.mockReset().mockImplementation(() => undefined),
  );
  const code = await registryCommand(words, noSettings);
  const text = (spy: typeof said): string => spy!.mock.calls.map(([line]) => String(line)).join('\n');
  return { code, said: text(said), errors: text(errors) };
}
afterEach(() => vi.restoreAllMocks());

test('help lists all commands, or describes one, as a word or an option', async () => {
  const all = await run();
  expect(all).toMatchObject({ code: 0, said: expect.stringContaining('staff add NAME EMAIL'), errors: '' });
  expect(await run('--help')).toEqual(all);
  expect(await run('help')).toEqual(all);
  const one = await run('staff', 'add', '--help');
  expect(one).toMatchObject({ code: 0, said: expect.stringContaining('--full-name …  name shown to others'), errors: '' });
  expect(await run('help', 'staff', 'add')).toEqual(one);
});

test('a word that is no command is an error, which names those that are', async () => {
  for (const words of [['stuff'], ['help', 'stuff']])
    expect(await run(...words)).toMatchObject({
      code: 2,
      said: '',
      errors: expect.stringMatching(/^"stuff" is not a command. Known are: .*backup/),
    });
});
