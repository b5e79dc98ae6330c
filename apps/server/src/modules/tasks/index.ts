export { tasksModule } from './module.ts';
