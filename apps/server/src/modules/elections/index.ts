export { addConference, importAttendance, keepConference, listAttendee, unlistAttendee } from './attendance.ts';
export { reportVote } from './ballots.ts';
export { addElection, publishElection } from './elections.ts';
export { readElection } from './election-row.ts';
export { type HandOver, ownBallots, readHandOver, reportSignature } from './hand-over.ts';
export { optionsOf, saveOptions } from './options.ts';
export { electionsModule } from './module.ts';
