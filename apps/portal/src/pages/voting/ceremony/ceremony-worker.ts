import { serveWorker } from '../encrypted/serve-worker.ts';
import { ceremonyTasks } from './ceremony-tasks.ts';

serveWorker(ceremonyTasks);
