const page = '/resources/whois-updates-js/all';

/** The page of one object. */
export const hrefOfObject = (className: string, key: string, more: Readonly<Record<string, string>> = {}): string =>
  `${page}?${new URLSearchParams({ class: className, key, ...more }).toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;

/** The list, of one class or all. */
export const hrefOfList = (className: string | null = null): string => (className === null ? page : `${page}?class=${className}`);
