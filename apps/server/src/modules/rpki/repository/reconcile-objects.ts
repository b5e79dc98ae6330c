import { sql } from 'kysely';
import { isInFuture } from '../../../platform/clock-watch.ts';
import { renewObjectMs } from '../authorities/due-authorities.ts';
import type { Draft } from '../drafts.ts';
import { type Desk, removeFile, revokeFile, type StoredFile, type Work } from './authority-work.ts';

type Objects = {
  kind: 'roa' | 'aspa';
  /** Returns the subject of a published object, by which it is found again. */
  idOf: (file: StoredFile) => string;
  /** `draft` gets the present object with the same content, or null. */
  wanted: readonly { id: string; draft: (before: Uint8Array | null) => Draft }[];
  /** Files that other keys of the authority published before this publication, which this key takes over. */
  ofOthers?: readonly StoredFile[];
};

/** Adds missing objects of a key and removes unwanted ones. Correct objects stay unchanged, unless they expire soon or a wrong clock let them begin in the future. */
export function reconcileObjects(desk: Desk, work: Work, { kind, idOf, wanted, ofOthers = [] }: Objects): void {
  const byId = (files: Iterable<StoredFile>) => new Map([...files].filter(file => file.kind === kind).map(file => [idOf(file), file]));
  const present = byId(work.files.values());
  const others = byId(ofOthers);
  const staysRight = ({ notBefore, notAfter }: StoredFile): boolean =>
    Date.parse(notAfter!) > desk.now.getTime() + renewObjectMs && !(notBefore && isInFuture(notBefore, desk.now));
  for (const { id, draft } of wanted) {
    const file = present.get(id);
    if (file && staysRight(file)) {
      present.delete(id);
      continue;
    }
    const before = file ?? others.get(id);
    if (before) work.renewals.push({ uri: before.uri, draft });
    else work.drafts.push(draft(null));
    work.isTouched = true;
  }
  for (const file of present.values()) {
    revokeFile(work, file);
    removeFile(desk, work, file);
  }
}

/** Drafts renewals with another certificate from the published bytes. */
export async function draftRenewals({ change, works }: Desk): Promise<void> {
  const uris = works.flatMap(({ renewals }) => renewals.map(({ uri }) => uri));
  if (uris.length === 0) return;
  const rows = await change.rows<{ uri: string; content: Buffer }>(
    sql`select uri, content from rpki_object where uri = any(${uris}::text[])`,
  );
  const contents = new Map(rows.map(({ uri, content }) => [uri, content]));
  for (const work of works) work.drafts.push(...work.renewals.splice(0).map(({ uri, draft }) => draft(contents.get(uri)!)));
}
