import { afterEach, expect, it, vi } from 'vitest';
import { dropDraft, readDraft, writeDraft } from '../form/draft.ts';
import { createPreferences, localPreferences } from '../settings/preferences.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it('where the browser denies storage, what is typed and set lasts as long as the document', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  expect(localPreferences('tess')).toBeNull();
  const preferences = createPreferences({ userId: 'tess', initial: { theme: 'system', tables: {} }, save: async () => undefined });
  preferences.change({ theme: 'dark' });
  expect(localPreferences('tess')).toMatchObject({ theme: 'dark' });

  writeDraft('tess', 'route', { prefix: '192.0.2.0/24' });
  expect(readDraft('tess', 'route')).toEqual({ prefix: '192.0.2.0/24' });
  expect(readDraft('corin', 'route')).toBeNull();
  dropDraft('tess', 'route');
  expect(readDraft('tess', 'route')).toBeNull();
});

it('otherwise it is on the device', () => {
  writeDraft('tess', 'route', 1);
  expect(localStorage.length).toBe(1);
});
