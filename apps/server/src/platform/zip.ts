import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A file of an archive: its name, date, and content, which is read when its turn comes. */
export type ZippedFile = { name: string; day: string; open: () => Promise<AsyncIterable<Uint8Array>>; isText?: boolean };

/**
 * Yields a ZIP archive (PKWARE APPNOTE 6.3) of files, each read when its turn comes. Only texts are compressed: content such as PDF is compressed already.
 * @throws Error if a file can’t be read
 */
export async function* zipOf(files: Iterable<ZippedFile> | AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    ready.push(data);
  });
  for await (const { name, day, open, isText } of files) {
    const entry = isText ? new ZipDeflate(name) : new ZipPassThrough(name);
    // ZIP stores local times without a zone.
    entry.mtime = `${day}T12:00:00`;
    zip.add(entry);
    for await (const chunk of await open()) {
      entry.push(new Uint8Array(chunk));
      yield* ready.splice(0);
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  yield* ready.splice(0);
}
