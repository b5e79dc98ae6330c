/** A file that was downloaded: what it is called and its content. */
export type SavedFile = { fileName: string; blob: Blob };

/**
 * The file name of a `Content-Disposition` header (RFC 6266: `filename*` before `filename`), without any folder. Falls back to
 * the last step of the path that was called.
 */
export function fileNameOf(header: string | null, path: string): string {
  const extended = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header ?? '');
  const given = (extended && decoded(extended)) || plain?.[1] || plain?.[2] || '';
  const name = given.split(/[\\/]/).pop();
  return name || path.split('?')[0]!.split('/').pop() || 'download';
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
