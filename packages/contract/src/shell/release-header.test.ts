import { expect, test } from 'vitest';
import { isNewerRelease } from './release-header.ts';

test.each([
  ['0.3.0', '0.2.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '0.99.99', true],
  ['0.2.1', '0.2.0', true],
  ['0.2.0', '0.2.0', false],
  ['0.2.9', '0.3.0', false],
  ['0.9.0', '0.10.0', false],
  ['0.3.0-rc.1', '0.2.0', false],
  ['0.3.0', 'test', false],
  ['', '0.2.0', false],
])('release %s after %s: %s', (release, than, isNewer) => expect(isNewerRelease(release, than)).toBe(isNewer));
