import type { PreferenceChange } from '@portal/contract/identity/people';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPreferences, localPreferences } from './preferences.ts';

let saved: PreferenceChange[];
const kept = () => createPreferences({ userId: 'tess', initial: { tables: {} }, save: change => (saved.push(change), Promise.resolve()) });
beforeEach(() => {
  saved = [];
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

it('a change applies immediately, here and on this device, and reaches the server a second later', async () => {
  const preferences = kept();
  preferences.change({ timeZone: 'Asia/Tokyo' });
  expect(preferences.get().timeZone).toBe('Asia/Tokyo');
  expect(localPreferences('tess')?.timeZone).toBe('Asia/Tokyo');
  expect(saved).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(saved).toEqual([{ timeZone: 'Asia/Tokyo' }]);
});

it('many changes of one setting become one call', async () => {
  const preferences = kept();
  for (const by of ['size', 'type', 'economy'])
    preferences.change({ table: { id: 'resources.ipv4', state: { sort: { by, direction: 'asc' } } } });
  preferences.change({ hourCycle: 'h12' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(saved).toEqual([{ table: { id: 'resources.ipv4', state: { sort: { by: 'economy', direction: 'asc' } } } }, { hourCycle: 'h12' }]);
});

it('the server’s values are applied below unsaved changes', () => {
  const preferences = kept();
  preferences.change({ theme: 'dark' });
  preferences.receive({ theme: 'light', timeZone: 'UTC', tables: {} });
  expect(preferences.get()).toEqual({ theme: 'dark', timeZone: 'UTC', tables: {} });
});

it('listeners are called', () => {
  const preferences = kept();
  const listener = vi.fn();
  const stop = preferences.subscribe(listener);
  preferences.change({ theme: 'dark' });
  stop();
  preferences.change({ theme: 'light' });
  expect(listener).toHaveBeenCalledTimes(1);
});

it('a damaged copy on the device counts as none', () => {
  localStorage.setItem('preferences:tess', '{"tables":1}');
  expect(localPreferences('tess')).toBeNull();
  localStorage.setItem('preferences:tess', '{');
  expect(localPreferences('tess')).toBeNull();
});
