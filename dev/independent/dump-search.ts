import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A voter as the tester knows them: in the order in which they cast, with what they chose and the secrets of their ballot. */
export type KnownVoter = {
  account: string;
  chosen: readonly number[];
  secrets: readonly { what: string; number?: bigint; text?: string }[];
};

/** Something that was found, and where. */
export type Link = { where: string; what: string };

/** A table as a plain dump of pg_dump has it: its rows in the order of the file. */
export type DumpedTable = { name: string; columns: string[]; rows: (string | null)[][] };

/** Reads the tables of a plain dump. */
export function tablesOf(dump: string): DumpedTable[] {
  const tables: DumpedTable[] = [];
  let table: DumpedTable | null = null;
  for (const line of dump.split('\n')) {
    if (table === null) {
      const begins = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(line);
      if (begins) table = { name: begins[1]!, columns: begins[2]!.split(', '), rows: [] };
    } else if (line === '\\.') {
      tables.push(table);
      table = null;
    } else table.rows.push(line.split('\t').map(cell => (cell === '\\N' ? null : cell)));
  }
  return tables;
}

/** Files below a folder, except sockets and what goes away meanwhile. */
export function filesBelow(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => {
    const file = path.join(folder, name);
    try {
      return statSync(file).isFile() ? [{ name, bytes: readFileSync(file) }] : [];
    } catch {
      return [];
    }
  });
}

/** A number as bytes, the most significant first. */
function bytesOf(number: bigint): Buffer {
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Ways to write a secret: as text, in hexadecimal, Base64, decimal, and as bytes in both orders. */
function spellings({ number, text }: KnownVoter['secrets'][number]): Buffer[] {
  if (text !== undefined) {
    const bytes = Buffer.from(text);
    const raw = /^[0-9a-f]{32,}$/.test(text)
      ? [Buffer.from(text, 'hex'), Buffer.from(Buffer.from(text, 'hex').toString('base64').replace(/=+$/, ''))]
      : [];
    return [bytes, Buffer.from(bytes.toString('base64').replace(/=+$/, '')), Buffer.from(bytes.toString('hex')), ...raw];
  }
  const raw = bytesOf(number!);
  return [
    raw,
    Buffer.from(raw).reverse(),
    Buffer.from(`${number!}`),
    Buffer.from(raw.toString('hex')),
    Buffer.from(number!.toString(16)),
    Buffer.from(raw.toString('base64').replace(/=+$/, '')),
  ];
}

/** Bytes by which a spelling is found first. */
const BEGINNING = 3;

/** Returns a function that finds secrets of voters in some bytes, in whatever spelling: all of them in one pass, as there are thousands and the files of a cluster are large. */
export function secretFinder(voters: readonly KnownVoter[]): (where: string, bytes: Buffer) => Link[] {
  const begins = new Uint8Array(1 << (8 * BEGINNING));
  const byBeginning = new Map<number, { spelt: Buffer; what: string }[]>();
  for (const { account, secrets } of voters)
    for (const secret of secrets)
      for (const spelt of spellings(secret)) {
        const key = (spelt[0]! << 16) | (spelt[1]! << 8) | spelt[2]!;
        begins[key] = 1;
        byBeginning.set(key, [...(byBeginning.get(key) ?? []), { spelt, what: `${secret.what} of ${account}` }]);
      }
  return (where, bytes) => {
    const found = new Set<string>();
    let key = 0;
    for (let at = 0; at < bytes.length; at++) {
      key = ((key << 8) | bytes[at]!) & 0xff_ff_ff;
      if (begins[key] === 0 || at < BEGINNING - 1) continue;
      const start = at - BEGINNING + 1;
      for (const { spelt, what } of byBeginning.get(key)!)
        if (bytes.compare(spelt, 0, spelt.length, start, Math.min(bytes.length, start + spelt.length)) === 0) found.add(what);
    }
    return [...found].map(what => ({ where, what }));
  };
}

/** Signs of a row or a line: whole cells that are short, and the words and numbers in them. */
const signsOf = (cells: readonly (string | null)[], columns: readonly string[]): string[] =>
  cells.flatMap((cell, at) => {
    const column = columns[at] ?? `${at}`;
    if (cell === null) return [`${column} is empty`];
    const short = cell.length <= 60 ? [`${column} = ${cell}`] : [];
    return [...short, ...(cell.length <= 20_000 ? (cell.match(/[\p{L}\p{N}]+/gu) ?? []).map(word => `${column} has ${word}`) : [])];
  });

/**
 * Voters who share a sign, where they are exactly those who chose an answer, or exactly those who did not: such a sign tells how they voted. With 30 voters whose choices are by lot a sign that
 * has nothing to do with them does that in one of millions of cases.
 */
function tellingSigns(where: string, signsByVoter: ReadonlyMap<string, ReadonlySet<string>>, voters: readonly KnownVoter[]): Link[] {
  const holders = new Map<string, Set<string>>();
  for (const [account, signs] of signsByVoter)
    for (const sign of signs) {
      const set = holders.get(sign) ?? new Set<string>();
      set.add(account);
      holders.set(sign, set);
    }
  const seen = voters.filter(({ account }) => signsByVoter.has(account));
  const answers = [...new Set(voters.flatMap(({ chosen }) => chosen))];
  const groups = [
    ...answers.map(answer => ({ answer: `answer ${answer}`, has: (each: KnownVoter) => each.chosen.includes(answer) })),
    { answer: 'a blank ballot', has: (each: KnownVoter) => each.chosen.length === 0 },
  ];
  return groups.flatMap(({ answer, has }) => {
    const chose = seen.filter(has).map(({ account }) => account);
    const others = seen.filter(each => !has(each)).map(({ account }) => account);
    // A group of one or two is told by any number of its own.
    if (chose.length < 3 || others.length < 3) return [];
    const same = (set: ReadonlySet<string>, group: readonly string[]): boolean =>
      set.size === group.length && group.every(each => set.has(each));
    return [...holders].flatMap(([sign, set]) =>
      same(set, chose) || same(set, others) ? [{ where, what: `“${sign}” tells who chose ${answer}` }] : [],
    );
  });
}

/** Signs of rows of tables that name a voter. */
function namedIn({ name, columns, rows }: DumpedTable, voters: readonly KnownVoter[]): Link[] {
  const signs = new Map<string, Set<string>>();
  for (const row of rows) {
    const text = row.join('\t');
    for (const { account } of voters) {
      if (!text.includes(account)) continue;
      const set = signs.get(account) ?? new Set<string>();
      for (const sign of signsOf(
        row.map(cell => cell?.replaceAll(account, '') ?? null),
        columns,
      ))
        set.add(sign);
      signs.set(account, set);
    }
  }
  return tellingSigns(name, signs, voters);
}

/** Rows that are as many as voters: of a whole table, or those that have one value in one column. */
function asManyRows({ name, columns, rows }: DumpedTable, count: number): { where: string; rows: (string | null)[][] }[] {
  const found = rows.length === count ? [{ where: name, rows }] : [];
  for (const [at, column] of columns.entries()) {
    const groups = new Map<string, (string | null)[][]>();
    for (const row of rows) {
      const value = row[at] ?? '';
      if (value.length > 80) continue;
      const group = groups.get(value);
      if (group) group.push(row);
      else groups.set(value, [row]);
    }
    for (const [value, some] of groups)
      if (some.length === count && count < rows.length) found.push({ where: `${name} where ${column} = ${value}`, rows: some });
  }
  return found;
}

/** Compares as texts of the same length or as numbers. */
const byValue = (a: string, b: string): number =>
  /^\d+$/.test(a) && /^\d+$/.test(b) ? a.length - b.length || (a < b ? -1 : 1) : a < b ? -1 : 1;

/**
 * Rows that name no voter, joined with voters by an order: that of the dump, and that of each column whose values differ. Voters are in the order in which they cast, which times and numbers of
 * the log say.
 */
function orderedIn(table: DumpedTable, voters: readonly KnownVoter[]): Link[] {
  return asManyRows(table, voters.length).flatMap(({ where, rows }) => {
    const orders = [{ by: 'their place', rows }];
    for (const [at, column] of table.columns.entries()) {
      const values = rows.map(row => row[at] ?? '');
      if (new Set(values).size === rows.length)
        orders.push({ by: column, rows: rows.toSorted((a, b) => byValue(a[at] ?? '', b[at] ?? '')) });
    }
    return orders.flatMap(({ by, rows: ordered }) =>
      tellingSigns(
        `${where}, in the order of ${by}`,
        new Map(voters.map(({ account }, place) => [account, new Set(signsOf(ordered[place]!, table.columns))])),
        voters,
      ),
    );
  });
}

/** Links of voters and choices in the tables of a dump: in rows that name a voter, and in rows joined by an order. */
export const linksInTables = (tables: readonly DumpedTable[], voters: readonly KnownVoter[]): Link[] =>
  tables.flatMap(table => [...namedIn(table, voters), ...orderedIn(table, voters)]);

/** Links in lines of a log, or in mails: by what stands beside the name of a voter. */
export function linksInLines(where: string, lines: readonly string[], voters: readonly KnownVoter[]): Link[] {
  return namedIn({ name: where, columns: ['the line'], rows: lines.map(line => [line]) }, voters);
}

/** Bytes on both sides of a name that are looked at. */
const BESIDE = 160;

/** Links in the files of a cluster: by printable words beside the name of a voter, and by single bytes after it. */
export function linksInFiles(files: readonly { name: string; bytes: Buffer }[], voters: readonly KnownVoter[]): Link[] {
  return files.flatMap(({ name, bytes }) => {
    const signs = new Map<string, Set<string>>();
    for (const { account } of voters) {
      for (let at = bytes.indexOf(account); at >= 0; at = bytes.indexOf(account, at + account.length)) {
        const set = signs.get(account) ?? new Set<string>();
        const beside = bytes.subarray(Math.max(0, at - BESIDE), at + account.length + BESIDE).toString('latin1');
        for (const word of beside.replaceAll(account, ' ').match(/[\x21-\x7e]+/g) ?? []) set.add(word);
        for (let after = 0; after < 8; after++) set.add(`byte ${after} after it is ${bytes[at + account.length + after] ?? 'none'}`);
        signs.set(account, set);
      }
    }
    return tellingSigns(name, signs, voters);
  });
}
