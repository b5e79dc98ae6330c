import type { PublicationError } from '@portal/rpki-objects';
import { boundedThread, TaskFailed, TaskRefused } from '../../../platform/bounded-thread.ts';
import type { ChecklistBy, ReadChecklist } from '../checklists/checklist-reading.ts';
import type { BytesOf, Judgement, PublishedByChild } from './child-judgement.ts';
import type { ArrivedMessage, CheckedMessage, ParsedProvisioning, ParsedPublication } from './child-queries.ts';

/** What the threads of this file are given to read. */
export type ChildTask =
  | ({ kind: 'message' } & ArrivedMessage)
  | { kind: 'provisioning'; content: string }
  | { kind: 'publication'; content: string; base: string }
  | ({ kind: 'judgement' } & PublishedByChild)
  | { kind: 'checklist'; bytes: Uint8Array }
  | ({ kind: 'checklist-by' } & ChecklistBy);

const file = new URL('./child-thread.ts', import.meta.url);
const MEMORY_MB = 384;
/** Messages and checklists: none takes a second. */
const messages = boundedThread(file, { memoryMb: MEMORY_MB, timeMs: 10_000, waiting: 4 });
/** What authorities publish, in a thread of its own: reading a large one for the first time takes many seconds. */
const judgements = boundedThread(file, { memoryMb: MEMORY_MB, timeMs: 60_000, waiting: 2 });

/** @throws {TaskRefused} when it can't be read within its limits */
export const readArrived = (sender: string, message: ArrivedMessage): Promise<CheckedMessage> =>
  messages.ask(sender, { kind: 'message', ...message } satisfies ChildTask);

/** Why a message was not read: it took too long or too much memory. */
export const tooMuch = 'Reading the message takes too long. Send fewer changes at a time';

/** Reads a provisioning query; one that can't be read within the limits is answered with an error. */
export const readProvisioningQuery = (sender: string, content: string): Promise<ParsedProvisioning> =>
  orElse(messages.ask(sender, { kind: 'provisioning', content } satisfies ChildTask), { status: 2001, message: tooMuch });

/** Reads a publication query; one that can't be read within the limits is answered with an error. */
export const readPublicationQuery = (sender: string, content: string, base: string): Promise<ParsedPublication> =>
  orElse(messages.ask(sender, { kind: 'publication', content, base } satisfies ChildTask), {
    kind: 'refused',
    errors: [{ tag: null, code: 'other_error', text: tooMuch } satisfies PublicationError],
  });

async function orElse<Answer>(asked: Promise<Answer>, refusal: Answer): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    // Others' messages are answered whatever this one is.
    if (!(error instanceof TaskRefused) && !(error instanceof TaskFailed)) throw error;
    return refusal;
  }
}

/** Judges what an authority publishes; null where it changes meanwhile. @throws {TaskRefused} when that can't be done within the limits */
export const readPublished = (sender: string, published: PublishedByChild, bytesOf: BytesOf): Promise<Judgement | null> =>
  judgements.ask(sender, { kind: 'judgement', ...published } satisfies ChildTask, need => bytesOf(need as string[]));

/** Reads a signed checklist. @throws {TaskRefused} */
export const readChecklist = (sender: string, bytes: Uint8Array): Promise<ReadChecklist> =>
  messages.ask(sender, { kind: 'checklist', bytes } satisfies ChildTask);

/** Why a relying party would refuse a checklist below this issuer; null where it would not. @throws {TaskRefused} */
export const checkChecklist = (sender: string, checklist: ChecklistBy): Promise<string | null> =>
  messages.ask(sender, { kind: 'checklist-by', ...checklist } satisfies ChildTask);
