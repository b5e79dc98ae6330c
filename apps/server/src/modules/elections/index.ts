export { addConference, importAttendance } from './attendance.ts';
export { addElection, publishElection } from './elections.ts';
export { electionRoutes } from './routes.ts';
