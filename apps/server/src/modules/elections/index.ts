export { addConference, importAttendance, keepConference, listAttendee, unlistAttendee } from './attendance.ts';
export { addElection, publishElection } from './elections.ts';
export { electionsModule } from './module.ts';
