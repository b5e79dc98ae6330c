/** The page of a prefix or range (`198.18.0.0/19`), or of an AS number (`AS64500`). */
export function recordAddress(resource: string, on?: string | null): string {
  const [page, name] = /^AS/i.test(resource) ? ['as-number', 'number'] : ['prefix', 'prefix'];
  const text = encodeURIComponent(resource).replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%20', '+');
  return `/resources/${page}?${name}=${text}${on ? `&on=${on}` : ''}`;
}
