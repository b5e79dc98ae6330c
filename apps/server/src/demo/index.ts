export { demoPeople } from './people.ts';
export { emptyDatabase, ensureDemo, loadDemo } from './registry.ts';
