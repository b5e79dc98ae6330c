/** Opens the command palette, or its placeholder, when its keys are pressed. Returns a function that stops it. */
export function onPaletteKey(open: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    if (navigationShortcut(event) !== 'palette') return;
    event.preventDefault();
    open();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

/**
 * Returns the shell's action for a key press: Ctrl-K, Cmd-K and `/` (outside fields and windows) open the command palette. In the palette itself the list under its field gets
 * each key first, and one that were taken there would not reach the field.
 */
export function navigationShortcut(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>,
): 'palette' | null {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) return 'palette';
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target as HTMLElement | null;
  return target?.closest?.('input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role=dialog], [role=alertdialog]')
    ? null
    : 'palette';
}

/** The keys that open the command palette, as this device writes them. */
export const paletteKeys = (platform: string): string => (/mac|iphone|ipad/i.test(platform) ? '⌘ K' : 'Ctrl K');
