import type { Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';

/** A document that a mail carries: its kind, as a module declares it, and its number there. */
export type Attaches = { what: string; number: string };

/** The document itself. */
export type Attachment = { fileName: string; contentType: string; content: Uint8Array };

/** Documents of a kind that mails can carry. */
export type AttachmentSource = {
  /** `invoice`. Letters and dashes. */
  what: string;
  /** Returns the files of the document of a number; the mail was written by the registry itself, so no permission is checked. @throws Error where there is none */
  open: (read: Read, number: string) => Promise<readonly [Attachment, ...Attachment[]]>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Documents that mails carry. The modules that write them declare how they are opened; mail is a lower module. */
    attachments?: (context: ModuleContext) => readonly AttachmentSource[];
  }
}

/** Returns how the `mail` table names a document: `invoice:INV-2026-000001`. */
export const nameOfAttachment = ({ what, number }: Attaches): string => `${what}:${number}`;

/** Returns the files of the document that a mail carries. @throws Error if no module declares its kind, or it is not there */
export async function attachmentsOf(context: ModuleContext, read: Read, attaches: string): Promise<readonly [Attachment, ...Attachment[]]> {
  const [what, number] = attaches.split(':') as [string, string];
  const source = context.modules.flatMap(module => module.attachments?.(context) ?? []).find(each => each.what === what);
  if (!source) throw new Error(`No module declares the attachment "${what}".`);
  return source.open(read, number);
}
