/**
 * Statements, and parts of them, that can't be read from the sources alone, by the file and how their template begins. The list may only get shorter:
 * `npm run check -- sql` refuses a new one, and one that is needed no longer.
 */
export const sqlExceptions: readonly { file: string; begins: string; because: string }[] = [
  ...['select distinct on (f.sha256)', 'select kept.whose from'].map(begins => ({
    file: 'apps/server/src/modules/documents/kept-files.ts',
    begins,
    because: 'modules contribute what they keep when the program starts',
  })),
  ...['delete from stored_file f', 'select f.sha256, count(kept.sha256)'].map(begins => ({
    file: 'apps/server/src/modules/documents/sweeping.ts',
    begins,
    because: 'modules contribute what they keep when the program starts',
  })),
  {
    file: 'apps/server/src/modules/rdap/stored-objects.ts',
    begins: 'preparedQuery<AutnumRow & Counted>(`\n  select o.shown, o.text, o.first_as',
    because: 'columns are chosen by comparing texts; the other choice belongs to networks',
  },
  {
    file: 'apps/server/src/modules/resources/registrations.ts',
    begins: 'with ${list}, listed as materialized',
    because: 'the table of gaps is made in a function, and used outside of it, by one condition',
  },
  {
    file: 'apps/server/src/modules/reverse-dns/checks/lame-servers.ts',
    begins: 'update rdns_lame_server set ${set}',
    because: 'one of the steps sets nothing, and takes the other branch',
  },
];
