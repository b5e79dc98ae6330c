import { openBallotTasks } from './ballot-tasks.ts';
import { serveWorker } from './serve-worker.ts';

serveWorker(openBallotTasks());
