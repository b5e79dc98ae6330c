import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, expect, vi } from 'vitest';

// Read at the start of each file of the web tests, which share a document with the files before (docs/decisions/0038-test-files-share-a-process.md).

// Pages load their parts on first use, which takes longer than the library's one second on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

/** The window that vitest made for this process. */
const { happyDOM } = window as typeof window & { happyDOM: { setURL(url: string): void } };

vi.useRealTimers();
vi.unstubAllGlobals();
happyDOM.setURL('http://localhost:3000/');
window.scrollTo(0, 0);
for (const element of [document.documentElement, document.head, document.body])
  for (const name of element.getAttributeNames()) element.removeAttribute(name);
document.head.replaceChildren();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();

/** Defects of a page while it was drawn: a boundary shows a sentence instead, and a test that looks elsewhere would pass. */
const defects: Error[] = [];
const { error: show } = console;
Object.assign(console, {
  error(...said: unknown[]) {
    defects.push(...said.filter(one => one instanceof TypeError || one instanceof ReferenceError || one instanceof RangeError));
    show(...said);
  },
});
afterAll(async () => {
  Object.assign(console, { error: show });
  // A part that is still being loaded would be missing from the files that follow.
  await vi.dynamicImportSettled();
});

// Clean up after each test.
afterEach(() => {
  cleanup();
  expect(defects.splice(0), 'errors of the page itself').toEqual([]);
});
