/** The address that opens the notice of recovery for what was delegated by mistake. @param resources none where staff name the part themselves */
export const mistakeHref = (accountName: string, resources: readonly string[]): string =>
  `/desk/accounts/${encodeURIComponent(accountName)}?mistake=${encodeURIComponent(resources.join(','))}#recovery`;
