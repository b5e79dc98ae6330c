import type { PaletteItem } from '@portal/ui/picker/CommandPalette';

const MAX = 6;
/** Per session: recent picks of each account are removed with the tab. */
const keyOf = (account: string): string => `recent-places ${account}`;

/** Returns the recent picks of the palette, newest first. */
export function recentPlaces(account: string): PaletteItem[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(account)) ?? '[]');
    return Array.isArray(kept) ? (kept as PaletteItem[]).filter(item => typeof item.href === 'string').slice(0, MAX) : [];
  } catch {
    return [];
  }
}

/** Puts a place first among the recent ones; without storage it is not remembered. */
export function rememberPlace(account: string, { text, note, kind, icon, mono, href }: PaletteItem): void {
  const item = {
    id: `recent ${href}`,
    text,
    href,
    ...(note && { note }),
    ...(kind && { kind }),
    ...(icon && { icon }),
    ...(mono && { mono }),
  };
  try {
    const others = recentPlaces(account).filter(other => other.href !== href);
    sessionStorage.setItem(keyOf(account), JSON.stringify([item, ...others].slice(0, MAX)));
  } catch {
    // Storage is full or disabled.
  }
}
