/** The theme of the document: `system` follows the device. */
export type ThemeChoice = 'system' | 'light' | 'dark';

/** Shows a theme: `system` leaves the choice to the device. */
export function showTheme(theme: ThemeChoice, root: HTMLElement = document.documentElement): void {
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}

/** Stores the theme where the server sees it when it renders the next page. */
export function keepTheme(theme: ThemeChoice): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `theme=${theme === 'system' ? '' : theme}; Path=/; SameSite=Lax; Max-Age=${theme === 'system' ? 0 : 31_536_000}${secure}`;
}
