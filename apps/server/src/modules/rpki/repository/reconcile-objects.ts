import { renewObjectMs } from '../authorities/due-authorities.ts';
import type { Draft } from '../drafts.ts';
import { type Desk, removeFile, revokeFile, type StoredFile, type Work } from './authority-work.ts';

type Objects = {
  kind: 'roa' | 'aspa';
  /** Returns the subject of a published object, by which it is found again. */
  idOf: (file: StoredFile) => string;
  wanted: readonly { id: string; draft: () => Draft }[];
};

/** Adds objects that a key does not publish yet and removes those that are not wanted. Objects that are right and last stay as they are. */
export function reconcileObjects(desk: Desk, work: Work, { kind, idOf, wanted }: Objects): void {
  const present = new Map([...work.files.values()].filter(file => file.kind === kind).map(file => [idOf(file), file]));
  for (const { id, draft } of wanted) {
    const file = present.get(id);
    if (file && Date.parse(file.notAfter!) > desk.now.getTime() + renewObjectMs) {
      present.delete(id);
      continue;
    }
    work.drafts.push(draft());
    work.isTouched = true;
  }
  for (const file of present.values()) {
    revokeFile(work, file);
    removeFile(desk, work, file);
  }
}
