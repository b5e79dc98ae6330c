import { fileSize } from '@portal/contract/file-kinds';

/** A file hashed in the browser; its content never leaves it. Without a name if that has characters not allowed in checklists. */
export type HashedFile = { key: string; fileName: string; name: string | null; sha256: string; size: string };

/** Largest file, in bytes: it is read as a whole to hash it. */
const largest = 1_000_000_000;
const portable = /^[A-Za-z0-9._-]{1,255}$/;

/** Hashes files in the browser. Files too large to hash are returned by name. */
export async function hashFiles(files: readonly File[]): Promise<{ hashed: HashedFile[]; refused: string[] }> {
  const hashed: HashedFile[] = [];
  for (const file of files) {
    if (file.size > largest) continue;
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('');
    hashed.push({
      key: `${file.name} ${sha256}`,
      fileName: file.name,
      name: portable.test(file.name) ? file.name : null,
      sha256,
      size: fileSize(file.size),
    });
  }
  return { hashed, refused: files.filter(({ size }) => size > largest).map(({ name }) => name) };
}
