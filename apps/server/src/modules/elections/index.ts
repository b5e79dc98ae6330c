export { addConference, importAttendance } from './attendance.ts';
export { addElection, publishElection } from './elections.ts';
export { electionsModule } from './module.ts';
