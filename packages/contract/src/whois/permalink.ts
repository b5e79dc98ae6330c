/** Returns the address of the public page of what a whois query names, which stays: `/whois/198.18.0.0/19`. */
export const whoisPermalink = (key: string): string => `/whois/${encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
