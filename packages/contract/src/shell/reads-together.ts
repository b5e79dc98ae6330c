/** Where several reads of the API are asked for in one request: `?read=/api/me&read=/api/accounts`, each encoded. */
export const readsTogetherPath = '/api/reads';

/** Maximum number of paths in one request: more than any page starts with. */
export const maxReadsTogether = 16;

/** One of the answers: its status, and its body as text, which is JSON. */
export type ReadTogether = { path: string; status: number; body: string };
export type ReadsTogether = { answers: ReadTogether[] };

/** Returns the address at which these paths are read together. */
export const readsTogetherAddress = (paths: readonly string[]): string =>
  `${readsTogetherPath}?${new URLSearchParams(paths.map((path): [string, string] => ['read', path])).toString()}`;
