import { fileKinds } from '@portal/contract/file-kinds';

/** Kinds of files that the page shows as pictures: a browser draws them, and runs nothing that is in them. */
export const pictureKinds = ['png', 'jpg'] as const;
export type PictureKind = (typeof pictureKinds)[number];
export const isPicture = (kind: string): kind is PictureKind => (pictureKinds as readonly string[]).includes(kind);

/** Maximum pixels of a picture on the page: drawn, each takes four bytes of memory, however small the file is. */
const MAX_PIXELS = 40_000_000;

/** Returns width and height by the first bytes of an image; null where they aren’t found. */
export function pictureSize(kind: PictureKind, bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // PNG: the first chunk, IHDR, has both.
  if (kind === 'png') return bytes.length < 24 ? null : { width: view.getUint32(16), height: view.getUint32(20) };
  // JPEG: in the frame header, behind other segments that each say how long they are.
  for (let at = 2; at + 9 < bytes.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    if (marker < 0xff01) return null;
  }
  return null;
}

/** Returns an image as an address for the page, of the type that the registry found and not one that the file claims; null where it is too large to be drawn. */
export async function pictureAddress(kind: PictureKind, content: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const size = pictureSize(kind, bytes);
  if (size === null || size.width * size.height > MAX_PIXELS) return null;
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The picture can’t be read.'));
    reader.readAsDataURL(new Blob([bytes], { type: fileKinds[kind].mediaType }));
  });
}
