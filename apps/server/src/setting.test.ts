import { expect, test } from 'vitest';
import { readSetting, url } from './setting.ts';

test('an address that has a default is not left empty, and the sentence names the setting', () => {
  const base = url('RPKI_RSYNC_BASE', 'rsync://localhost:8730/repository', 'Where the repository is read', ['rsync:']);
  expect(readSetting(base, {})).toBe('rsync://localhost:8730/repository');
  expect(() => readSetting(base, { RPKI_RSYNC_BASE: '' })).toThrow(
    'The setting RPKI_RSYNC_BASE ("") must be an address starting with rsync://.',
  );
  expect(() => readSetting(base, { RPKI_RSYNC_BASE: 'https://x' })).toThrow(/RPKI_RSYNC_BASE/);
  // Without a default, empty means none.
  expect(readSetting(url('RT_URL', '', 'Address of Request Tracker'), { RT_URL: '' })).toBe('');
});
