import { expect, it } from 'vitest';
import { dateFormatOf, isTimeZone } from './personal-settings.ts';

it('settings win over the device', () => {
  expect(dateFormatOf({ timeZone: 'Asia/Kathmandu', hourCycle: 'h12' })).toEqual({ timeZone: 'Asia/Kathmandu', hourCycle: 'h12' });
});

it('a zone this browser does not know falls back to the device', () => {
  const device = dateFormatOf({}).timeZone;
  expect(dateFormatOf({ timeZone: 'Mars/Olympus', hourCycle: 'h23' }).timeZone).toBe(device);
  expect(dateFormatOf({ timeZone: 'system' }).timeZone).toBe(device);
  expect(isTimeZone('Mars/Olympus')).toBe(false);
});
