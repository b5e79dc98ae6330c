import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import type { MailKind } from './mail-text.ts';

/** The text of a mail, with its words in braces. */
export type Text = { subject: string; body: string };

/** A saved version. One without a text says that the program's is used again. */
export type Version = {
  kind: string;
  version: number;
  subject: string | null;
  body: string | null;
  programSubject: string;
  programBody: string;
};

/** All kinds of mail, of all modules. */
export const kindsOfMail = ({ modules }: Pick<ModuleContext, 'modules'>): readonly MailKind[] =>
  modules.flatMap(({ mailTexts: texts }) => texts?.kinds ?? []);

/** The newest version of each text, or of one. */
export const newestVersions = (read: Pick<Read, 'rows'>, kind?: string): Promise<Version[]> =>
  read.rows<Version>(sql`select distinct on (kind) kind, version, subject, body, program_subject, program_body from mail_text_version
    where ${kind === undefined ? sql`true` : sql`kind = ${kind}`} order by kind, version desc`);

/** The changed text of a version; null where the program's is used. */
export const textOf = (version: Version | undefined): Text | null =>
  version?.subject == null ? null : { subject: version.subject, body: version.body! };

/** The text of the program when the version was saved. */
export const programThen = ({ programSubject, programBody }: Version): Text => ({ subject: programSubject, body: programBody });
