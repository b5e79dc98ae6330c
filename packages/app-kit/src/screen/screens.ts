import { MINUTE_MS } from '@portal/contract/days';
import { copiedToken, tabStorage } from '../auth/stored-user.ts';
import { storedAccountName } from '../session/selected-account.ts';

/** The portal's screens and the frame's are kept apart: each document writes its own. */
const screenKeys = { portal: 'last-screens:portal', frame: 'last-screens:frame' } as const;
export type ScreenOf = keyof typeof screenKeys;

/** Attribute of the element that shows the last screen of the tab. */
const mark = 'data-last-screen';
/** The event by which it is taken away. */
const endEvent = 'end-last-screen';

const shownScreen = (): HTMLElement | null => document.querySelector<HTMLElement>(`[${mark}]`);

/** The person, account and address of a screen, and its place in the storage of the tab. */
export type ScreenPlace = {
  of: ScreenOf;
  address: string;
  userId: string;
  account: string | null;
  key: string;
  /** Whether the frame of the page has a screen of its own: without one it shows how far its page is. */
  frameHasScreen: boolean;
  /** Null in a tab that has signed out, which keeps nothing. */
  storage: Storage | null;
  /** Older screens, in ms, are not worth showing. */
  oldestMs: number;
  mark: string;
  endEvent: string;
};

/** Returns the place of the screen of an address, for the account that is selected on this device. */
export const screenPlace = (of: ScreenOf, address: string, userId: string): ScreenPlace => ({
  of,
  address,
  userId,
  account: storedAccountName(userId),
  key: screenKeys[of],
  frameHasScreen: keepsScreen('frame', address),
  storage: copiedToken() ? tabStorage() : null,
  oldestMs: 30 * MINUTE_MS,
  mark,
  endEvent,
});

/** Returns whether this tab keeps a screen of the address: only then the code that shows it is loaded. */
export const keepsScreen = (of: ScreenOf, address: string): boolean =>
  tabStorage()
    ?.getItem(screenKeys[of])
    ?.includes(`{"address":${JSON.stringify(address)},`) ?? false;

/** Takes the last screen away, if it is shown: the page is whole, or another one. */
export const endLastScreen = (): void => void shownScreen()?.dispatchEvent(new Event(endEvent));

/** Forgets the screens of this tab. */
export function dropScreens(): void {
  for (const key of Object.values(screenKeys)) tabStorage()?.removeItem(key);
  shownScreen()?.remove();
}
