import type { ChecklistBy } from '../checklist-reading.ts';
import type { PublishedByChild } from './child-judgement.ts';
import type { ArrivedMessage, GivenIntroduction } from './child-queries.ts';

/** A task for the threads that read what others sent. */
export type ChildTask =
  | ({ kind: 'message' } & ArrivedMessage)
  | { kind: 'provisioning'; content: string }
  | { kind: 'publication'; content: string; base: string }
  | ({ kind: 'judgement'; child: string } & PublishedByChild)
  | ({ kind: 'introduction' } & GivenIntroduction)
  | { kind: 'checklist'; bytes: Uint8Array }
  | ({ kind: 'checklist-by' } & ChecklistBy);

/** Asked for by a thread that doesn't know the files of an authority; otherwise it asks for the bytes of some. */
export const everyFile = 'every file';
