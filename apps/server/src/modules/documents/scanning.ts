import { sql } from 'kysely';
import * as z from 'zod';
import { clamdScanner } from '../../adapters/virus-scanner.ts';
import type { Config } from '../../config.ts';
import { beginningOf } from '../../platform/beginning-of.ts';
import type { OutsideSystem } from '../../platform/module.ts';
import { taskType } from '../../platform/tasks.ts';
import { notifySender } from './document-notices.ts';
import { fileStorage } from './file-storage.ts';
import { neededBy } from './kept-files.ts';

/** Scans for viruses. @throws Error if it can't tell; the scan is retried later. */
type VirusScanner = {
  /** Returns the finding in the scanner's words; null if there is none. */
  scan(chunks: AsyncIterable<Uint8Array>): Promise<string | null>;
};

/** Returns whether files are scanned for viruses before they can be opened. */
export const filesAreScanned = ({ virusScannerUrl }: Pick<Config, 'virusScannerUrl'>): boolean => virusScannerUrl !== '';

/** ClamAV's daemon at VIRUS_SCANNER_URL; null if none is configured; then files don't wait for a scan. */
const virusScanner: OutsideSystem<VirusScanner | null> = {
  name: 'virus scanner',
  open: ({ config }) => (filesAreScanned(config) ? clamdScanner(config.virusScannerUrl) : null),
};

/** The longest finding that is stored, in characters. */
const LONGEST_FINDING = 200;

/**
 * Scans one file for viruses: until then it can't be opened; an infected file is deleted and its senders are notified. Documents with that content
 * stay closed. The content itself is kept while another record, such as an issued invoice, still needs it.
 */
export const scanFile = taskType({
  name: 'documents.scanFile',
  summary: 'Checked a file for viruses',
  runner: 'scans',
  input: z.object({ sha256: z.string() }),
  run: async ({ db, input: { sha256 }, activity, context }) => {
    const scanner = context.outside(virusScanner);
    if (!scanner) throw new Error('The file waits for a virus scanner, and none is configured (VIRUS_SCANNER_URL).');
    const fileStore = context.outside(fileStorage);
    const waiting = await db.read
      .selectFrom('storedFile')
      .select('sha256')
      .where('sha256', '=', sha256)
      .where('checked', '=', 'being-checked')
      .executeTakeFirst();
    if (!waiting) return;
    const content = await fileStore.read(sha256);
    if (!content) throw new Error(`Content is not at ${fileStore.where(sha256)}.`);
    const said = await scanner.scan(content);
    const finding = said === null ? null : beginningOf(said, LONGEST_FINDING);
    await db.change(activity, async change => {
      await change
        .updateTable('storedFile')
        .set({ checked: finding === null ? 'clean' : 'infected', checkedAt: change.now, finding })
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
      for (const { fileName, accountName, ...sender } of senders) await notifySender(change, sender, { accountName, fileName, finding });
    });
    if (finding === null) return;
    const kinds = context.modules.flatMap(({ keptFiles }) => keptFiles ?? []);
    const needed = await neededBy(db.read, kinds, sha256);
    if (needed.length === 0) await fileStore.remove(sha256);
    else context.log.error('an infected file was not deleted: the registry needs its content', { sha256, finding, neededBy: needed });
  },
});
