import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApplication } from './application-files.ts';

const files = { entry: '/assets/index.js', all: ['/assets/lists.css', '/assets/react.js', '/assets/index.js'] };
const links = (): string[] =>
  [...document.head.querySelectorAll('link')].map(link => [link.rel, link.getAttribute('as'), link.getAttribute('href')].join(' '));
const loaded: string[] = [];
const load = (entry: string): Promise<void> => (loaded.push(entry), Promise.resolve());

beforeEach(() => {
  const data = Object.assign(document.createElement('script'), {
    type: 'application/json',
    id: 'files',
    textContent: JSON.stringify(files),
  });
  document.head.replaceChildren(data);
});
afterEach(() => {
  loaded.length = 0;
  document.head.replaceChildren();
});

test('the application is requested with all its files, and started', async () => {
  await startApplication(null, load);
  expect(links()).toEqual(['preload style /assets/lists.css', 'modulepreload  /assets/react.js', 'modulepreload  /assets/index.js']);
  expect(loaded).toEqual(['/assets/index.js']);
});

test('a script that can’t be loaded is reported to the caller', async () => {
  await expect(startApplication(null, () => Promise.reject(new TypeError('no line')))).rejects.toThrow('no line');
});

test('a document without such a list starts itself', async () => {
  document.head.replaceChildren();
  await startApplication(null, load);
  expect(loaded).toEqual([]);
});

test('nothing is compiled or started beside the picture of the last load', async () => {
  const picture = Promise.withResolvers<void>();
  const started = startApplication(picture.promise, load);
  expect(links()).toEqual(['preload style /assets/lists.css', 'preload script /assets/react.js', 'preload script /assets/index.js']);
  expect(loaded).toEqual([]);
  picture.resolve();
  await started;
  expect(loaded).toEqual(['/assets/index.js']);
});
