import type { ReceivedFile } from '@portal/contract';
import { HOUR_MS } from '@portal/contract/days';
import { type FileKind, fileKinds, fileSize } from '@portal/contract/file-kinds';
import { sql } from 'kysely';
import { theLast } from '../../platform/clock-watch.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { ArrivingFile } from '../../platform/admission.ts';
import { refuse, refuseWith } from '../../platform/failure.ts';
import { checkStructure, kindOf } from './file-kind.ts';
import { kindByName } from './file-name.ts';
import { FileRefused } from './file-refused.ts';
import { type FileStore, TooLarge } from './file-store.ts';

const notHere = 'its type isn’t accepted here';
/** Maximum number of files per person and hour. */
const MAX_IN_AN_HOUR = 60;

/** Returns the name for a refusal: short, on one line. */
const named = (name: string): string =>
  `“${Array.from(name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '))
    .slice(0, 80)
    .join('')}”`;

/**
 * Receives a file: checks its length and content while it arrives and afterwards. It is stored before any row refers to it; the sweep deletes files without a row.
 * @throws Failure FILE_TOO_LARGE, FILE_REFUSED, TOO_MANY_REQUESTS; nothing is stored then
 */
export async function receiveFile(
  { read, store, now }: { read: Read; store: FileStore; now: Date },
  caller: Caller,
  { name, announced, chunks, takes: { largest, kinds } }: ArrivingFile,
): Promise<ReceivedFile> {
  const tooLarge = () => refuseWith({ connection: 'close' }, 'FILE_TOO_LARGE', { limit: fileSize(largest) });
  if (announced !== null && announced > largest) throw tooLarge();
  await refuseTooMany(read, caller.loginId, now);
  let kind: FileKind | null = null;
  try {
    const incoming = await store.receive(chunks, {
      largest,
      firstBytes: head => {
        kind = kindOf(head);
        // A spreadsheet begins as a Word document does.
        if (!kinds.includes(kind) && !(kind === 'docx' && kinds.includes('xlsx'))) throw new FileRefused(notHere);
      },
    });
    try {
      kind = await checkStructure(kind!, incoming.pieces);
      if (!kinds.includes(kind)) throw new FileRefused(notHere);
      refuseOtherName(name, kind);
      await incoming.keep();
    } catch (error) {
      await incoming.drop();
      throw error;
    }
    return { sha256: incoming.sha256, bytes: incoming.pieces.bytes, kind: kind! };
  } catch (error) {
    if (error instanceof TooLarge) throw tooLarge();
    if (error instanceof FileRefused) throw refuse('FILE_REFUSED', { name: named(name), why: error.message });
    throw error;
  }
}

/** Refuses a file whose extension doesn't match its content, because people would mistake it for something else. @throws FileRefused */
function refuseOtherName(name: string, kind: FileKind): void {
  const said = kindByName(name);
  if (said === null || said.kind === kind) return;
  const { label, extensions } = fileKinds[kind];
  throw new FileRefused(
    `it ends in .${said.ending}, but its content is ${label}. Rename it to end in .${extensions[0]}, or choose the file that you meant`,
  );
}

async function refuseTooMany(read: Read, loginId: string, now: Date): Promise<void> {
  const { since, until } = theLast(HOUR_MS, now);
  const [sent] = await read.rows<{ count: number; oldest: string | null }>(sql`
    select count(*)::int as count, min(uploaded_at) as oldest from document where uploaded_by = ${loginId} and uploaded_at between ${since} and ${until}`);
  if (sent!.count < MAX_IN_AN_HOUR) return;
  const seconds = Math.max(1, Math.ceil((new Date(sent!.oldest!).getTime() + HOUR_MS - now.getTime()) / 1000));
  throw refuseWith({ 'retry-after': String(seconds) }, 'TOO_MANY_REQUESTS', { seconds: String(seconds) });
}
