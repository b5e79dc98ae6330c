import { sql } from 'kysely';
import * as z from 'zod';
import { taskType } from '../../platform/tasks.ts';
import { tellSender } from './document-notices.ts';
import type { FileStore } from './file-store.ts';

/** Looks for viruses in what it is given. @throws Error when it cannot say; it is asked again later. */
export type VirusScanner = {
  /** What was found, in the scanner's words; null when nothing was. */
  scan(chunks: AsyncIterable<Uint8Array>): Promise<string | null>;
};

declare module '../../platform/tasks.ts' {
  interface TaskDependencies {
    /** Absent where no scanner is configured: then nothing waits for one. */
    fileScanning?: { fileStore: FileStore; virusScanner: VirusScanner };
  }
}

/** Checks one file for viruses: until then nobody opens it, and what is infected is deleted and its senders are told. */
export const scanFile = taskType({
  name: 'documents.scanFile',
  summary: 'Checked a file for viruses',
  input: z.object({ sha256: z.string() }),
  run: async ({ db, input: { sha256 }, activity, deps: { fileScanning } }) => {
    if (!fileScanning) throw new Error('The file waits for a virus scanner, and none is configured (VIRUS_SCANNER_URL).');
    const { fileStore, virusScanner } = fileScanning;
    const waiting = await db.read
      .selectFrom('storedFile')
      .select('sha256')
      .where('sha256', '=', sha256)
      .where('checked', '=', 'BEING_CHECKED')
      .executeTakeFirst();
    if (!waiting) return;
    const content = await fileStore.read(sha256);
    if (!content) throw new Error(`The content of ${sha256} is not in ${fileStore.folder}.`);
    const finding = (await virusScanner.scan(content))?.slice(0, 200) ?? null;
    await db.change(activity, async change => {
      await change
        .updateTable('storedFile')
        .set({ checked: finding === null ? 'CLEAN' : 'INFECTED', checkedAt: change.now, finding })
        .where('sha256', '=', sha256)
        .execute();
      await change.note({ sha256, finding: finding ?? 'none' });
      if (finding === null) return;
      const senders = await change.rows<{
        loginId: string;
        fullName: string;
        email: string;
        fileName: string;
        accountName: string | null;
      }>(sql`
        select distinct on (l.login_id) l.login_id, l.full_name, l.email, d.file_name, d.account_name
        from document d join login l on l.login_id = d.uploaded_by
        where d.sha256 = ${sha256} and d.deleted_at is null order by l.login_id, d.document_id desc`);
      for (const { fileName, accountName, ...sender } of senders) await tellSender(change, sender, { accountName, fileName, finding });
    });
    if (finding !== null) await fileStore.remove(sha256);
  },
});
