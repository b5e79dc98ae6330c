/** How a link is followed (specification, section 2): http, https and ftp load a page, everything else is navigated in place. `mail` is left to the browser. */
export type LinkKind = 'page' | 'mail' | 'in-app' | 'refused';

/**
 * Links come from configuration and content, so only http(s), ftp, mail addresses and same-origin paths are followed: `javascript:`,
 * `data:` and `//host` are refused (S17). A relative path counts as in-app.
 */
export function linkKind(href: string): LinkKind {
  const text = href.trim();
  if (/^(https?|ftp):\/\//i.test(text)) return 'page';
  // Browsers remove control characters and convert backslashes before they look for a scheme or host.
  if (text.includes('\\') || Array.from(text).some(c => c < ' ')) return 'refused';
  if (/^mailto:[^/]/i.test(text)) return 'mail';
  if (text.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(text)) return 'refused';
  return 'in-app';
}

/** A path to return to after sign-in: same origin, starts with a single slash; anything else becomes `/` (S17). */
export const safeReturnPath = (path: unknown): string =>
  typeof path === 'string' && path.startsWith('/') && linkKind(path) === 'in-app' ? path : '/';
