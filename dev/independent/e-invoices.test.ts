import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HOUR_MS } from '@portal/contract/days';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EInvoiceContent, eInvoice } from '../../apps/server/src/modules/billing/documents/e-invoice.ts';
import { drawnEInvoices } from '../../apps/server/test/drawn-e-invoices.ts';

/** A folder with the schemas of UBL 2.1 (`xsd/`) and the compiled rules (`*.xslt`) of EN 16931 and of Peppol (decision 255). */
const rules = process.env['E_INVOICE_RULES'] ?? path.join(os.homedir(), '.cache/e-invoice-rules');
const count = Number(process.env['E_INVOICES'] ?? 30);
const saxon = '/usr/share/java/Saxon-HE.jar';
const has = (program: string, option: string): boolean => spawnSync(program, [option]).status === 0;
const missing = !existsSync(path.join(rules, 'xsd'))
  ? `no rules in ${rules}`
  : existsSync(saxon) && has('java', '-version') && has('xmllint', '--version')
    ? null
    : 'no xmllint or Saxon on this machine';

const schemas = { invoice: 'UBL-Invoice-2.1.xsd', 'credit-note': 'UBL-CreditNote-2.1.xsd' } as const;

/** Writes drawn documents into a folder; returns their files by kind. */
async function writeDocuments(folder: string): Promise<Record<EInvoiceContent['kind'], string[]>> {
  const files: Record<EInvoiceContent['kind'], string[]> = { invoice: [], 'credit-note': [] };
  await mkdir(folder);
  for (const [place, { content, profile }] of fc.sample(drawnEInvoices, { numRuns: count, seed: 16931 }).entries()) {
    const file = path.join(folder, `${place}.xml`);
    await writeFile(file, eInvoice(content, profile));
    files[content.kind].push(file);
  }
  return files;
}

/** Judges all documents of a folder by a Schematron; returns each rule that one of them breaks. */
async function brokenRules(documents: string, sheet: string, reports: string): Promise<string[]> {
  await mkdir(reports);
  execFileSync('java', ['-jar', saxon, `-s:${documents}`, `-xsl:${path.join(rules, sheet)}`, `-o:${reports}`], { stdio: 'pipe' });
  const found: string[] = [];
  for (const name of await readdir(reports)) {
    const report = await readFile(path.join(reports, name), 'utf8');
    // What was judged has the rules that fired.
    expect(report).toContain('fired-rule');
    for (const [, rule] of report.matchAll(/<svrl:failed-assert[^>]*\sid="([^"]*)"/g)) found.push(`${name} ${rule}`);
  }
  return found;
}

test.skipIf(missing !== null)(
  `xmllint with the schemas of UBL 2.1, and the Schematrons of EN 16931 and of Peppol, find nothing in ${count} e-invoices${missing === null ? '' : ` (left out: ${missing})`}`,
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'e-invoices-'));
    try {
      const documents = path.join(folder, 'documents');
      const files = await writeDocuments(documents);
      for (const kind of Object.keys(schemas) as (keyof typeof schemas)[])
        execFileSync('xmllint', ['--noout', '--schema', path.join(rules, 'xsd/maindoc', schemas[kind]), ...files[kind]], { stdio: 'pipe' });
      const sheets = (await readdir(rules)).filter(name => name.endsWith('.xslt'));
      expect(sheets.length).toBeGreaterThan(0);
      for (const sheet of sheets)
        expect([sheet, (await brokenRules(documents, sheet, path.join(folder, `reports-${sheet}`))).slice(0, 20)]).toEqual([sheet, []]);

      // They would have found a cent, and an element that the schema doesn't have.
      const [broken] = files.invoice as [string];
      const xml = await readFile(broken, 'utf8');
      await rm(documents, { recursive: true });
      await mkdir(documents);
      await writeFile(
        broken,
        xml.replace(/(<cbc:PayableAmount[^>]*>\d+)/, (_, head: string) => `${head}1`),
      );
      for (const sheet of sheets.filter(name => name.startsWith('EN16931')))
        expect(await brokenRules(documents, sheet, path.join(folder, `again-${sheet}`))).toContainEqual(
          expect.stringContaining('BR-CO-16'),
        );
      await writeFile(broken, xml.replace('<cbc:DueDate>', '<cbc:DueDay/><cbc:DueDate>'));
      const judged = spawnSync('xmllint', ['--noout', '--schema', path.join(rules, 'xsd/maindoc', schemas.invoice), broken], {
        encoding: 'utf8',
      });
      expect([judged.status, judged.stderr]).toEqual([expect.any(Number), expect.stringContaining('DueDay')]);
      expect(judged.status).not.toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  HOUR_MS,
);
