import { refuseField } from '../src/platform/failure.ts';

/** A text for the reader that tests have: it is answered in capitals, refused, fails, or breaks a limit. */
export type TestText = { kind: 'answer' | 'refuse' | 'fail' | 'grow'; text: string };

export function read({ kind, text }: TestText): string {
  if (kind === 'refuse') throw refuseField('text', `${text} can’t be read`);
  if (kind === 'fail') throw new Error('A defect');
  const kept: number[][] = [];
  while (kind === 'grow') kept.push(Array.from<number>({ length: 1_000_000 }).fill(kept.length + 0.5));
  return text.toUpperCase();
}
