export { demoPeople } from './people.ts';
export { demoIsLoaded, loadDemo } from './registry.ts';
