import { tabStorage } from '../auth/stored-user.ts';

/** The portal and the page in its frame keep one each, as with answers. */
export const keys = { portal: 'last-picture:portal', frame: 'last-picture:frame' } as const;
export type PictureOf = keyof typeof keys;
/** Attribute of the element that shows it. */
export const mark = 'data-last-picture';

/** Returns whether this tab keeps a picture of an address. */
export const keepsPicture = (of: PictureOf, address: string): boolean =>
  tabStorage()
    ?.getItem(keys[of])
    ?.startsWith(`{"address":${JSON.stringify(address)},`) ?? false;

/** Takes the picture away: the page is there, or something else is. */
export const endPicture = (): void => document.querySelector(`[${mark}]`)?.remove();

/** Forgets that of one document, or both. */
export function dropPicture(of?: PictureOf): void {
  for (const each of of ? [of] : (Object.keys(keys) as PictureOf[])) tabStorage()?.removeItem(keys[each]);
  endPicture();
}
