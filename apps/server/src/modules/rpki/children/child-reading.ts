import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import type { PublicationError } from '@portal/rpki-objects';
import { boundedThread, TaskFailed, TaskRefused } from '../../../platform/bounded-thread.ts';
import type { ChecklistBy, ReadChecklist } from '../checklist-reading.ts';
import type { Judgement, PublishedByChild, Supply } from './child-judgement.ts';
import { type ChildTask, everyFile } from './child-task.ts';
import type {
  ArrivedMessage,
  CheckedMessage,
  GivenIntroduction,
  ParsedProvisioning,
  ParsedPublication,
  ReadIntroduction,
} from './child-queries.ts';

const file = new URL('./child-thread.ts', import.meta.url);
const MEMORY_MB = 384;
/** Messages and introductions. */
const messages = boundedThread(file, { memoryMb: MEMORY_MB, timeMs: 10 * SECOND_MS, waiting: 4 });
/** Checklists of anyone have a thread of their own: no number of them holds up a member's authority. */
const checklists = boundedThread(file, { memoryMb: MEMORY_MB, timeMs: 10 * SECOND_MS, waiting: 4 });
/** Judges what authorities publish, separately from messages, because reading a large one for the first time takes many seconds. */
const judgements = boundedThread(file, { memoryMb: MEMORY_MB, timeMs: MINUTE_MS, waiting: 2 });

/** Checks and reads a received message. @throws {TaskRefused} when it can't be read within its limits */
export const readArrived = (sender: string, message: ArrivedMessage): Promise<CheckedMessage> =>
  messages.ask(sender, { kind: 'message', ...message } satisfies ChildTask);

/** Refuses a message that takes too long to read, or too much memory. */
export const tooMuch = 'Reading the message takes too long. Send fewer changes at a time';

/** Reads a provisioning query; one that can't be read within the limits is answered with an error. @throws {TaskRefused} 'busy', if it has to wait */
export const readProvisioningQuery = (sender: string, content: string): Promise<ParsedProvisioning> =>
  orElse(messages.ask(sender, { kind: 'provisioning', content } satisfies ChildTask), { status: 2001, message: tooMuch });

/** Reads a publication query; one that can't be read within the limits is answered with an error. @throws {TaskRefused} 'busy', if it has to wait */
export const readPublicationQuery = (sender: string, content: string, base: string): Promise<ParsedPublication> =>
  orElse(messages.ask(sender, { kind: 'publication', content, base } satisfies ChildTask), {
    kind: 'refused',
    errors: [{ tag: null, code: 'other_error', text: tooMuch } satisfies PublicationError],
  });

async function orElse<Answer>(asked: Promise<Answer>, refusal: Answer): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    // This one must not prevent answers to others.
    // It waits longer, and is read with the next publication.
    if (error instanceof TaskRefused && error.reason === 'busy') throw error;
    if (!(error instanceof TaskRefused) && !(error instanceof TaskFailed)) throw error;
    return refusal;
  }
}

/** Judges what an authority publishes; null if it changes meanwhile. @throws {TaskRefused} when that can't be done within the limits, or is given up */
export const readPublished = (
  sender: string,
  published: PublishedByChild,
  { supply: { listFiles, bytesOf }, signal }: { supply: Supply; signal?: AbortSignal | undefined },
): Promise<Judgement | null> =>
  judgements.ask(sender, { kind: 'judgement', child: sender, ...published } satisfies ChildTask, {
    supply: need => (need === everyFile ? listFiles() : bytesOf(need as string[])),
    ...(signal && { signal }),
  });

/** Reads an authority's introduction. @throws {TaskRefused} */
export const readIntroduction = (sender: string, given: GivenIntroduction): Promise<ReadIntroduction> =>
  messages.ask(sender, { kind: 'introduction', ...given } satisfies ChildTask);

/** Reads a signed checklist. @throws {TaskRefused} */
export const readChecklist = (sender: string, bytes: Uint8Array): Promise<ReadChecklist> =>
  checklists.ask(sender, { kind: 'checklist', bytes } satisfies ChildTask);

/** Returns why a relying party would refuse a checklist below this issuer; null if it wouldn't. @throws {TaskRefused} */
export const checkChecklist = (sender: string, checklist: ChecklistBy): Promise<string | null> =>
  checklists.ask(sender, { kind: 'checklist-by', ...checklist } satisfies ChildTask);
