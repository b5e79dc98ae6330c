import type { SecondApproval } from '@portal/contract/staff/desk';

type Row = { second: SecondApproval | null };

/** Whether a case was approved once and waits for someone else than the reader: it is not theirs to take. */
export const waitsForOthers = ({ second }: Row): boolean => second !== null && !second.mayConfirm;

/** Says what a case that was approved once waits for. */
export const secondWords = ({ mayConfirm }: SecondApproval): string => (mayConfirm ? 'Yours to confirm' : 'Waiting for a second person');

/** Says who approved a case first. */
export const proposedWords = ({ isMine, proposedBy }: SecondApproval): string => `${isMine ? 'You' : proposedBy} approved it`;
