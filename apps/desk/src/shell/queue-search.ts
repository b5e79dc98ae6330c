/** Parts of the address that are a filter of the queue, on its list and on the page of a case. */
const filterNames = ['kind', 'status', 'age', 'handler', 'q', 'sort', 'direction'] as const;

/** The part of an address that keeps the filters: empty, or with its question mark. */
export function filterSearch(get: (name: string) => string | null): string {
  const kept = new URLSearchParams(filterNames.flatMap(name => (get(name) ? [[name, get(name)!]] : []))).toString();
  return kept && `?${kept}`;
}
