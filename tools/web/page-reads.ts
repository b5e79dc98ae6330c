import { pathToFileURL } from 'node:url';

/** Addresses of reads, with `{account}` for the selected account: of every page, and of each page that declares any, by its name. */
export type ReadAddresses = { shell: string[]; pages: Record<string, string[]> };

/** A read as `addressOfRead` takes it; only the web apps know more of it. */
type Declared = object;
type Bundle = {
  shellReads: readonly Declared[];
  pages: Readonly<Record<string, ((page: { account: string; address: unknown }) => readonly Declared[]) | undefined>>;
  addressOfRead: (read: Declared) => string;
  addressValues: (search: string) => unknown;
};

/** Returns the addresses of the reads that pages declare, each at its address without a query, from the bundle of vite.page-reads.config.ts. */
export async function readAddressesIn(bundle: string): Promise<ReadAddresses> {
  return addressesOf((await import(pathToFileURL(bundle).href)) as Bundle);
}

export function addressesOf({ shellReads, pages, addressOfRead, addressValues }: Bundle): ReadAddresses {
  const mark = '{account}';
  const addressed = (reads: readonly Declared[]): string[] =>
    reads.map(each => addressOfRead(each).replaceAll(encodeURIComponent(mark), mark));
  const declared = Object.entries(pages).flatMap(([name, reads]) =>
    reads ? [[name, addressed(reads({ account: mark, address: addressValues('') }))] as const] : [],
  );
  return { shell: addressed(shellReads), pages: Object.fromEntries(declared) };
}
