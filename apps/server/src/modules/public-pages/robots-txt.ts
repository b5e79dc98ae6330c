/** Paths that search engines have nothing to look for in. Answers of the public whois say themselves that they aren’t listed: an engine has to read that. */
const closed = ['/api/', '/registry-api/', '/auth', '/oidc/', '/sign-in', '/account', '/plain', '/whois/query?', '/dev/'];

/** Rules for search engines (RFC 9309). */
export const robotsTxt: string = ['User-agent: *', ...closed.map(path => `Disallow: ${path}`), ''].join('\n');
