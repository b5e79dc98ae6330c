import { useKit, usePlace } from '../kit/kit.ts';

export type QueryChange = Readonly<Record<string, string | null | undefined>>;

/** A query with some values changed; empty ones are left out. Starts with `?`, or is empty. */
export function changedSearch(search: string, change: QueryChange): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  // Slashes and colons occur in prefixes, and are allowed in a query (RFC 3986 section 3.4).
  const text = query.toString().replace(/%2F/gi, '/').replace(/%3A/gi, ':');
  return text && `?${text}`;
}

/** The values of a query. */
export type AddressValues = {
  get: (name: string) => string | null;
  /** One of these words, else the first. */
  oneOf: <const Word extends string>(name: string, words: readonly [Word, ...Word[]]) => Word;
};

/** Returns the values of a query, which may start with `?`. */
export function addressValues(search: string): AddressValues {
  const query = new URLSearchParams(search);
  return { get: name => query.get(name), oneOf: (name, words) => words.find(word => word === query.get(name)) ?? words[0] };
}

/** Returns the values of the query, and a function to change several of them in one step. */
export function useAddress() {
  const { router } = useKit();
  return {
    ...addressValues(usePlace().search),
    /**
     * Replaces the history entry unless it is a step of its own. A step `in-place` opens something on the page, such as a drawer: focus and scroll position stay, and
     * are found again when it closes.
     */
    set(change: QueryChange, { step = false }: { step?: boolean | 'in-place' } = {}) {
      const { path, search: now } = router.place();
      router.go(path + changedSearch(now, change), { replace: !step, ...(step === 'in-place' && { inPlace: true }) });
    },
    go: (href: string) => router.go(href),
  };
}
