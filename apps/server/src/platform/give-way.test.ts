import os from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { giveWay } from './give-way.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const refused = (code: string) =>
  Object.assign(new Error(`uv_os_setpriority returned ${code}`), { code: 'ERR_SYSTEM_ERROR', info: { code } });

test.each(['EACCES', 'EPERM', 'ENOSYS'])('a system that refuses with %s changes nothing', code => {
  const set = vi.spyOn(os, 'setPriority').mockImplementation(() => {
    throw refused(code);
  });
  giveWay(os.constants.priority.PRIORITY_LOW);
  expect(set).toHaveBeenCalledWith(os.constants.priority.PRIORITY_LOW);
});

test('any other error is one', () => {
  vi.spyOn(os, 'setPriority').mockImplementation(() => {
    throw refused('EINVAL');
  });
  expect(() => giveWay(100)).toThrow('EINVAL');
});
