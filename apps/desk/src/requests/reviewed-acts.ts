import type { Act } from './Decision.tsx';

type Words = { busy: boolean; send: (words: string) => void; consequence: string };

/** What staff can do with a request that is reviewed: approve, refuse, ask whoever made it, and take it into review. `reader` reads the words. */
export function reviewedActs({
  state,
  reader,
  approve,
  refuse,
  ask,
  review,
}: {
  state: string;
  reader: 'the member' | 'the applicant';
  approve: Words & { why?: string | null };
  refuse: Words & { most?: number };
  ask: Words & { most: number };
  review: { busy: boolean; send: () => void };
}): Act[] {
  const { most, ...refusing } = refuse;
  const { most: longest, ...asking } = ask;
  const reason = { label: 'Reason', needed: `Write the reason: ${reader} reads it`, ...(most !== undefined && { most }) };
  const question = { label: 'Question', needed: 'Write what you need', most: longest };
  return [
    { name: 'approve', label: 'Approve', variant: 'commit', words: { label: 'Note' }, ...approve },
    { name: 'refuse', label: 'Refuse', variant: 'danger', words: reason, ...refusing },
    ...(state === 'INFO_REQUESTED'
      ? []
      : [{ name: 'ask', label: 'Ask for more', variant: 'default', words: question, ...asking } as const]),
    ...(state === 'SUBMITTED'
      ? [{ name: 'review', label: 'Take into review', variant: 'quiet', consequence: '', ...review } as const]
      : []),
  ];
}
