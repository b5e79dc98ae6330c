/** A line of an entity-relationship diagram (Mermaid): two tables, and the column that refers to the first or the second. */
const LINE = /^\s*(\w+) ([|}][|o])--([|o][|{]) (\w+) : "(\w+)"$/;
const TABLE = /^\s{2}(\w+)$/;

/** Columns that refer to another table, as `table.column -> target`, and the names of all tables, read from docs/generated/tables.md. */
function readTables(text: string): { tables: ReadonlySet<string>; required: ReadonlyMap<string, boolean> } {
  const tables = new Set<string>();
  const required = new Map<string, boolean>();
  for (const section of text.split(/^## /m).slice(1)) {
    const table = section.slice(0, section.indexOf('\n'));
    tables.add(table);
    for (const [, column, isRequired, target] of section.matchAll(/^\| `(\w+)` \| [^|]* \| (yes)? *\|.*\| \[(\w+)\]/gm))
      required.set(`${table}.${column} -> ${target}`, isRequired === 'yes');
  }
  return { tables, required };
}

/** Tables and references in docs/core-model.md that differ from the database. @param tablesPage text of docs/generated/tables.md */
export function coreModelFindings(text: string, tablesPage: string): string[] {
  const { tables, required } = readTables(tablesPage);
  return [...text.matchAll(/```mermaid\nerDiagram\n([^`]*)```/g)].flatMap(([, diagram]) =>
    diagram!.split('\n').flatMap(line => {
      if (line.trim() === '') return [];
      const [, alone] = TABLE.exec(line) ?? [];
      if (alone !== undefined) return tables.has(alone) ? [] : [`docs/core-model.md draws ${alone}, which is no table`];
      const [, target, end, , table, column] = LINE.exec(line) ?? [];
      if (target === undefined) return [`docs/core-model.md has a line that is not "TABLE ||--o{ TABLE : "COLUMN"": ${line.trim()}`];
      const isRequired = required.get(`${table}.${column} -> ${target}`);
      if (isRequired === undefined)
        return [`docs/core-model.md draws a reference of ${table}.${column} to ${target}, which the database does not have`];
      return isRequired === (end === '||')
        ? []
        : [`docs/core-model.md: ${table}.${column} is ${isRequired ? 'required: draw ||' : 'optional: draw |o'}`];
    }),
  );
}
