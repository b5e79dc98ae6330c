const pairs: Record<string, string> = { '{': '}', '[': ']', '(': ')' };

/** Finds the bracket that closes the one at `place`, past brackets in text and in comments. */
function closingOf(text: string, place: number): number {
  const open = text[place]!;
  const close = pairs[open];
  let depth = 0;
  let quote = '';
  for (let at = place; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === '\\') at++;
      else if (letter === quote) quote = '';
    } else if (letter === "'" || letter === '"' || letter === '`') quote = letter;
    else if (letter === '/' && text[at + 1] === '/') at = text.indexOf('\n', at);
    else if (letter === '/' && text[at + 1] === '*') at = text.indexOf('*/', at) + 1;
    else if (letter === open) depth++;
    else if (letter === close && --depth === 0) return at;
  }
  throw new Error(`What "${text.slice(text.lastIndexOf('\n', place) + 1, place + 1)}" opens is not closed.`);
}

/** Puts text before the bracket that closes the one `opening` ends with. */
export function insertAtEnd(text: string, opening: string, addition: string): string {
  const start = text.indexOf(opening);
  if (start < 0) throw new Error(`"${opening}" was not found.`);
  if (!pairs[opening.at(-1)!]) throw new Error(`"${opening}" does not end in a bracket.`);
  const place = closingOf(text, start + opening.length - 1);
  const before = text.slice(0, place).trimEnd();
  const comma = /[,[({]$/.test(before) ? '' : ',';
  const line = text.slice(text.lastIndexOf('\n', place) + 1, place);
  const indent = line.trim() === '' ? line : '';
  return `${before}${comma}\n${addition}\n${indent}${text.slice(place)}`;
}

/** The row `name: …,` of a list that is indented by two, with the line break before it; undefined when there is none. */
export function rowOf(text: string, name: string): string | undefined {
  const start = text.indexOf(`\n  ${name}: `);
  if (start < 0) return undefined;
  const bracket = start + text.slice(start).search(/[{[(]/);
  return `${text.slice(start, closingOf(text, bracket) + 1)},`;
}

const nameIn = (imported: string): string => imported.replace(/^type /, '');
/** Packages first, then our files from the furthest to the nearest. */
const placeIn = (from: string): string => `${from.startsWith('.') ? 1 : 0}${from}`;

/** Adds names (`type X` for a type, or `* as x` alone) to the `import { … } from` of a source, or the import itself at its place among the others. */
export function importing(text: string, names: readonly string[], from: string): string {
  const statements = [...text.matchAll(/^import (?:(type) )?(?:\{([^}]*)\}[^;]*|[^;{]*)from '([^']*)';\n/gm)];
  const present = statements.find(([, , list, source]) => source === from && list !== undefined);
  const before = (present?.[2] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
    .map(name => (present![1] ? `type ${name}` : name));
  const missing = names.filter(name => !before.some(other => nameIn(other) === nameIn(name)));
  const all = [...before, ...missing].sort((a, b) => nameIn(a).localeCompare(nameIn(b), 'en', { sensitivity: 'base' }));
  const onlyTypes = all.every(name => name.startsWith('type '));
  const shown = names[0]!.startsWith('* as ') ? names[0]! : `{ ${(onlyTypes ? all.map(nameIn) : all).join(', ')} }`;
  const statement = `import ${onlyTypes ? 'type ' : ''}${shown} from '${from}';\n`;
  if (present) return text.replace(present[0], statement);
  const next = statements.find(([, , , source]) => placeIn(source!) > placeIn(from));
  const last = statements.at(-1);
  const place = next?.index ?? (last ? last.index + last[0].length : 0);
  return text.slice(0, place) + statement + text.slice(place);
}

/** Adds an entry to the list `field` of the module declaration, which may have no such list yet. */
export function declaring(text: string, field: string, entry: string): string {
  const list = new RegExp(`\\b${field}: \\[`).exec(text)?.[0];
  if (list) return insertAtEnd(text, list, `    ${entry},`);
  return insertAtEnd(text, ': Module = {', `  ${field}: [${entry}],`);
}
