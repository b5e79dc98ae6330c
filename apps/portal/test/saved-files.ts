import { vi } from 'vitest';

/** Records the text files that a page saves, until `vi.restoreAllMocks()`. */
export function recordSavedFiles(): () => Promise<{ name: string; text: string }[]> {
  const saved: { name: string; content: Blob }[] = [];
  let last = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation(content => {
    last = content as Blob;
    return 'blob:saved';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content: last });
  });
  return () => Promise.all(saved.map(async ({ name, content }) => ({ name, text: await content.text() })));
}
