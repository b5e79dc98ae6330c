import { type FileKind, fileKindNames, fileKinds } from '@portal/contract/file-kinds';

/** Maximum length of a name, with its extension. */
const LONGEST = 150;
/** Of a longer name the end is read, where its extension is. */
const MAX_GIVEN = 1000;
/** Characters that some systems forbid in a name, or that disguise it. */
const unfit = /[\p{Cc}\p{Cf}\u2028\u2029<>:"|?*\\/]/gu;

/** Returns a name without dots and blanks at its beginning and end. */
function withoutEdges(name: string): string {
  const isEdge = (at: number): boolean => name[at] === '.' || name[at] === ' ';
  let [start, end] = [0, name.length];
  while (start < end && isEdge(start)) start++;
  while (end > start && isEdge(end - 1)) end--;
  return name.slice(start, end);
}

/** Returns the lower-case extension of a name, and its kind; null without one, or for an unaccepted kind. */
export function kindByName(given: string): { ending: string; kind: FileKind } | null {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(given.slice(-MAX_GIVEN).trimEnd())?.[1]?.toLowerCase();
  const kind = fileKindNames.find(name => (fileKinds[name].extensions as readonly string[]).includes(ending ?? ''));
  return ending === undefined || kind === undefined ? null : { ending, kind };
}

/**
 * The name under which a file is stored and downloaded: no folders, nothing that hides or reverses its extension, and the extension of its content.
 * Any script is kept.
 */
export function tidyFileName(given: string, kind: FileKind): string {
  const endings: readonly string[] = fileKinds[kind].extensions;
  const last = given.slice(-MAX_GIVEN).normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const clean = last.replaceAll(unfit, ' ').replaceAll(/\s+/g, ' ').trim();
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(clean)?.[1]?.toLowerCase();
  const stem = withoutEdges(ending === undefined ? clean : clean.slice(0, -ending.length - 1));
  // Names reserved by Windows.
  const named = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `_${stem}` : stem || 'file';
  const kept = ending !== undefined && endings.includes(ending) ? ending : endings[0]!;
  return `${Array.from(named)
    .slice(0, LONGEST - kept.length - 1)
    .join('')}.${kept}`;
}
