/** Pages of the registry for the world: path and name, in their order. Every page that is open without signing in leads to them. */
export const publicPaths = { '/whois': 'Whois', '/numbers': 'Numbers', '/status': 'Status', '/help': 'Help' } as const;
export type PublicPath = keyof typeof publicPaths;
