import { expect, test } from 'vitest';
import { rememberView } from './view-loader.ts';

test('a view is loaded once, and returned synchronously from then on', async () => {
  let loads = 0;
  const view = { default: () => null };
  const loader = rememberView(async () => {
    loads += 1;
    return view;
  });
  expect(await loader()).toBe(view);
  let given: unknown = null;
  void loader().then(again => {
    given = again;
  });
  expect(given).toBe(view);
  expect(loads).toBe(1);
  // A caller that only handles failures gets none.
  expect(await loader().catch(() => null)).toBe(view);
});

test('a view that could not be loaded is retried', async () => {
  let loads = 0;
  const loader = rememberView(async () => {
    loads += 1;
    if (loads === 1) throw new Error('offline');
    return { default: () => null };
  });
  await expect(loader()).rejects.toThrow('offline');
  expect(await loader()).toBeTruthy();
});

test('a loaded view can be awaited with catch, as prefetching does', async () => {
  const view = { default: () => null };
  const loader = rememberView(async () => view);
  await loader();
  expect(await loader().catch(() => null)).toBe(view);
});
