export { demoPeople } from './people.ts';
export { loadedDemo } from './demo-registry.ts';
export { emptyDatabase, ensureDemo, loadDemo } from './registry.ts';
