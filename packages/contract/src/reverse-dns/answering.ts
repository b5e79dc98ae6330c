/** Returns how many delegations of reverse zones answer: those with warnings answer too, so that each page counts the same. */
export const answering = ({ ok, warning }: { ok: number; warning: number }): number => ok + warning;
