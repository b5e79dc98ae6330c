import { type FileKind, fileKindNames, fileKinds } from '@portal/contract/file-kinds';

/** Characters of a name, its ending included. */
const LONGEST = 150;
/** Characters that some system forbids in a name, or that make it look like another one. */
const unfit = /[\p{Cc}\p{Cf}\u2028\u2029<>:"|?*\\/]/gu;

/** Returns the ending of a name in small letters, and the kind that it stands for; null where it has none, or one of no kind that is taken. */
export function kindByName(given: string): { ending: string; kind: FileKind } | null {
  const ending = /\.([A-Za-z0-9]{1,8})\s*$/.exec(given)?.[1]?.toLowerCase();
  const kind = fileKindNames.find(name => (fileKinds[name].extensions as readonly string[]).includes(ending ?? ''));
  return ending === undefined || kind === undefined ? null : { ending, kind };
}

/**
 * The name under which a file is kept and given out: no folders, nothing that hides or turns its ending, and the ending that belongs to its
 * content. Any script stays.
 */
export function tidyFileName(given: string, kind: FileKind): string {
  const endings: readonly string[] = fileKinds[kind].extensions;
  const last = given.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const clean = last.replaceAll(unfit, ' ').replaceAll(/\s+/g, ' ').trim();
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(clean)?.[1]?.toLowerCase();
  const stem = (ending === undefined ? clean : clean.slice(0, -ending.length - 1)).replace(/^[. ]+|[. ]+$/g, '');
  // Names Windows keeps for itself.
  const named = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `_${stem}` : stem || 'file';
  const kept = ending !== undefined && endings.includes(ending) ? ending : endings[0]!;
  return `${Array.from(named)
    .slice(0, LONGEST - kept.length - 1)
    .join('')}.${kept}`;
}
