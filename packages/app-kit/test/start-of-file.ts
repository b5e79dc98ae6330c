import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Read at the start of each file of the web tests, which share a document with the files before (docs/decisions/0038-test-files-share-a-process.md).

// Pages load their parts on first use, which takes longer than the library's one second on a busy machine.
configure({ asyncUtilTimeout: 5_000 });

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

// Clean up after each test.
afterEach(cleanup);
