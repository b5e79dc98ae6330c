/** Opens the command palette, or what stands in for it, when its keys are pressed. Returns how to stop that. */
export function onPaletteKey(open: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    if (navigationShortcut(event) !== 'palette') return;
    event.preventDefault();
    open();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

/** What a key press asks the shell for: Ctrl-K, Cmd-K and `/` (outside fields) open the command palette. */
export function navigationShortcut(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target'>,
): 'palette' | null {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) return 'palette';
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target as HTMLElement | null;
  return target?.closest?.('input, textarea, select, [contenteditable]:not([contenteditable="false"])') ? null : 'palette';
}
